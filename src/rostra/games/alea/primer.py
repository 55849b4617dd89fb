"""The rules of Alea Iacta Est and how its moves are written, short enough for a prompt."""

PRIMER = """\
Alea Iacta Est is a dice game of 6 sets with 2 or 3 players, 5 sets with 4 or 5. Each player has 8 dice. The most fame
points win; a tie goes to the higher total of unassigned patricians.

A TURN. Roll all dice you still have, then place at least one of them in one building. Before placing you may pay a
reroll chip and roll any of the dice again, as often as you have chips. A set ends with the round in which somebody
places the last die; dice not placed go to the Latrina. Nobody can place dice in two buildings in one turn.

BUILDINGS, and how a placing is written: a letter and the dice placed now.
- T Templum (4 or 5 players only): place exactly the dice you lack to have one more there than anybody else; the sum
  of all your dice there must be higher than the leader's. You draw a fortuna token (1 to 3 points) for each die. T36
- S Senatus: one sequence of consecutive values for each player, up to six dice; you may extend it at its ends later.
  No two sequences may be equal. The longest (then highest) win senate cards: one card with 2 players, two with 3 or
  4, three with 5. S345
- C Castrum: dice of one value, as a new group or added to your group of that value. No two groups may be equal. The
  biggest groups (then the highest) choose a province each, until provinces or groups run out. C44
- F Forum: one die of any value, or two that sum to 5. Dice lie in ascending order from the left; dice pushed past the
  last column go to the Latrina, but a die just placed must stay. Each die, from the left, chooses a patrician. F14
- L Latrina: only if you can place nothing else, exactly one die. Each die here at the end of the set brings a reroll
  chip. L5
OTHER MOVES. R112 rolls these dice again (costs a chip). K23 keeps fortuna tokens of these values. +III takes a senate
card, +R3 a province (colour R O Y G B V, or joker J, and value), +Rw1 a patrician (colour, w woman or m man, value).
Where selections of dice have the same effect, any of them may be written.

POINTS AT THE END. Each player assigns patricians to provinces: at most one woman and one man in a province, each of
its colour (the joker takes any one colour). A province with a patrician scores its value, an empty one its value
minus 1. An assigned patrician scores its value, an unassigned one nothing. Tokens score their value, two chips score
1. The best assignment is worked out for you.
SENATE CARDS score: I 1 and 1 for every two provinces; II 1 for every two assigned patricians; III 1 and 1 for each
senate card; IV 1 and 2 for every three tokens; V 1 and 1 for each couple; VI 1 for each colour of assigned
patricians; VII 1 for each colour of provinces; VIII 1 for each occupied province tile; IX 1 for each assigned
woman; X 1 for each assigned man; XI each couple may take one more matching patrician as a child, for 1; XII (such as
XII:RG) a border province of two colours: 3 with a couple of both colours, a single patrician fits too; XIII a free
province of any one colour, 1 if occupied.

Senate cards and tokens are secret until the end, respectively until they are kept. Everything else is public.
"""
