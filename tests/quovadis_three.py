"""A table of Quo Vadis? in one browser, and how its board is pressed."""

from typing import Any

from browser import Person

NAMES = ("Ada", "Berta", "Clara")


def press(person: Person, spot: str) -> None:
    """Click a part of the board; stairs at their laurel or in their middle, which is not the middle of their box."""
    there = person.the(spot)
    if not spot.startswith("path-"):
        there.click()
        return
    there.scroll_into_view_if_needed()
    middle = there.evaluate(
        """(spot) => {
          const stairs = spot.closest(".path");
          const [laurel, tread] = [".ring", ".tread"].map((part) => stairs.querySelector(part));
          const at = laurel
            ? new DOMPoint(laurel.cx.baseVal.value, laurel.cy.baseVal.value)
            : tread.getPointAtLength(tread.getTotalLength() / 2);
          const {x, y} = at.matrixTransform(tread.getScreenCTM());
          return {x, y};
        }"""
    )
    box = there.bounding_box()
    assert box is not None
    there.click(position={"x": middle["x"] - box["x"], "y": middle["y"] - box["y"]})


class Three:
    """Three seats of one browser's person; seat 0 is looked at. All have a senator in B, and seat 0 is to act."""

    def __init__(self, person: Person, names: tuple[str, ...] = NAMES, more: tuple[str, ...] = ()) -> None:
        self.person = person
        person.become(names[0])
        self.match = person.new_match("quovadis", "me open open", sit=False, options={"start_seat": "0"})
        self.others = [
            person.context.request.post(person.url + "/api/people", data={"name": name}).json() for name in names[1:]
        ]
        self._acts = 0
        for seat, name in enumerate(names):
            self.act(seat, "sit", name=name)
        for seat in range(3):
            self.play(seat, "+B")
        for seat, move in enumerate(more):
            self.play(seat % 3, move)
        person.goto(f"/match/{self.match}")
        person.sees("desk")

    def _headers(self, seat: int) -> dict[str, str]:
        return {"authorization": f"Bearer {self.others[seat - 1]['token'] if seat else self.person.token()}"}

    def act(self, seat: int, kind: str, **more: Any) -> None:
        self._acts += 1
        command = {"type": kind, "id": f"stage-{self._acts}", "match": self.match, "seat": seat, **more}
        url = f"{self.person.url}/api/matches/{self.match}/commands"
        answer = self.person.context.request.post(url, headers=self._headers(seat), data=command)
        assert answer.ok, answer.text()

    def play(self, seat: int, move: str) -> None:
        self.act(seat, "play", **self.where(), move=move)

    def where(self) -> dict[str, int]:
        play = self.person.ask("GET", f"/api/matches/{self.match}")["play"]
        return {"epoch": play["epoch"], "ply": play["ply"]}

    def offers(self) -> list[dict[str, Any]]:
        """Those of this turn."""
        return list(self.person.ask("GET", f"/api/matches/{self.match}?seat=0")["desk"]["offers"])

    def seen(self, seat: int) -> dict[str, Any]:
        """What a seat sees."""
        url = f"{self.person.url}/api/matches/{self.match}?seat={seat}"
        return dict(self.person.context.request.get(url, headers=self._headers(seat)).json())

    def view(self) -> dict[str, Any]:
        return dict(self.seen(0)["play"]["view"])

    def deal(self, terms: list[str]) -> None:
        """An offer of seat 0 that all others accept at once."""
        self.act(0, "offer", terms=terms)
        offer = self.person.ask("GET", f"/api/matches/{self.match}?seat=0")["desk"]["offers"][-1]["offer"]
        for seat in (1, 2):
            self.act(seat, "answer", offer=offer, yes=True)
