"""The rules of Quo Vadis? and how its moves are written, short enough for a prompt."""

PRIMER = """\
Quo Vadis? is a negotiation game. Each player has 8 senators, all off the board at first, and wants laurel points.
Only players with at least one senator in the Senate (S) can win; among them the most laurel points win. A tie goes to
whoever reached the Senate first. The game ends at once when five senators are in the Senate (or when nobody has
entered or moved for ten rounds).

BOARD. Committees (seats): A1 B5 C1 D3 are entries; E1 F1 G3 H1 I3 J5 K1 L1 M3 N3; S is the Senate with 5 seats.
Paths lead upward only: A>E B>I B>F C>G D>G D>H E>I F>J G>J G>L H>K I>M J>S K>N L>N M>S N>S.
A laurel (value 2 to 5) lies on each of the ten paths out of committees with 3 or 5 seats.

A TURN is exactly one action:
- enter: put a senator on a free seat of A, B, C or D. Written +B
- move a senator along one path to a committee with a free seat.
  Out of a committee with 1 seat it needs no consent and wins no laurel. Written A>E
  Out of 3 seats it needs the consent of exactly one other senator there, out of 5 seats of exactly two. Your own
  other senators there count. The consenting seats stand in brackets, one entry for each senator: I>M(2) B>I(0,1)
  B>I(1,1) The mover wins the laurel on the path. Each consent by another player's senator earns that player a laurel
  of 1.
- move Caesar to another laurel place: @J>S. A path with Caesar on it needs no consent and is written without
  brackets, I>M, but its laurel cannot be won and consents earn nothing.
Whoever wins a 2 with Caesar may then move Caesar: @J>S, or - to leave him.

DEALS. An action that uses other seats' consent is always a deal: all its parties must agree. Anybody may add terms:
- give 0 1 3             seat 0 gives seat 1 a laurel of value 3 (held before, or won by this action)
- then @M>S, or then -   where Caesar goes, if the action wins a 2 with Caesar
- promise 1 0 support    seat 1 will consent when seat 0 next asks
- promise 1 0 oppose 2   seat 1 will not consent to seat 2
- promise 1 0 caesar     seat 1 will not put Caesar on a path out of a committee where seat 0 has a senator
- promise 1 0 pay 3      seat 1 will give seat 0 laurels worth 3 or more
What is done in this turn is binding. Promises are not: they can be broken, they lapse after five turns of their
maker, and everybody sees what became of them.

HOW A DEAL IS DRAFTED MOVE BY MOVE. The active seat opens it with its action (after the word deal if the action needs
nobody), adds terms one by one, then says ask (or drop). The other parties say yes or no. With hear the active seat
lets every other seat draft one deal for its action, open a bargain (a deal without an action, opened with bargain; it
may contain one vow: refuse 1, consent 1 or spare B>I), or pass.

Laurels won lie face down: you see your own hand, of others only how many they have.
"""
