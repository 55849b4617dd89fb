/**
 * A guided first game: a game that was played, walked through step by step, in which the learner makes the moves of one
 * seat. The server made all steps beforehand, so nothing here knows a rule; only a deal to be tried out is asked for.
 */

import type { DraftInfo, Lesson, LessonStep, Line, OfferState } from "../api";
import { ask } from "../http";
import { tell } from "../notice.svelte";
import type { Acts, Scene } from "../scene";
import { say, sayIf } from "../words.svelte";

/** What the learner is to do: a move, an offer, or the answer to one. */
type Task =
  | { kind: "move"; move: string }
  | { kind: "offer"; terms: string[]; next: number }
  | { kind: "answer"; offer: OfferState; yes: boolean };

export class Course {
  at = $state(0);
  /** What a deal can be about at this step. */
  actions = $state.raw<string[]>([]);

  constructor(readonly lesson: Lesson) {
    this.restart();
  }

  readonly #answers = new Set(["yes", "no"]);

  get step(): LessonStep {
    return this.lesson.steps[this.at] as LessonStep;
  }

  get over(): boolean {
    return this.step.move === null;
  }

  get texts(): string[] {
    return this.step.say.map((key) => sayIf(`lesson.${key}`) ?? key);
  }

  /** The terms of the deal drafted at a step, and the step at which the first other party answers; null for no deal. */
  #deal(from: number): { terms: string[]; answers: number } | null {
    const { steps } = this.lesson;
    const terms: string[] = [];
    for (let i = from; i < steps.length; i++) {
      const move = steps[i]?.move;
      if (move === "ask") return { terms, answers: i + 1 };
      if (move === null || move === undefined || steps[i]?.seat !== steps[from]?.seat) return null;
      if (move !== "deal") terms.push(move);
    }
    return null;
  }

  /** Where the deal that is answered at a step was begun. */
  #begun(answered: number): number {
    const { steps } = this.lesson;
    let i = answered;
    while (this.#answers.has(steps[i]?.move ?? "")) i--;
    const drafter = steps[i]?.seat;
    while (i > 0 && steps[i - 1]?.seat === drafter && drafter !== null) i--;
    return i;
  }

  /** The first step after a deal's answers. */
  #after(answers: number): number {
    let i = answers;
    while (this.#answers.has(this.lesson.steps[i]?.move ?? "")) i++;
    return i;
  }

  get task(): Task | null {
    const { move, seat } = this.step;
    if (seat !== this.lesson.seat || move === null) return null;
    if (this.#answers.has(move)) {
      const begun = this.#begun(this.at);
      const drafter = this.lesson.steps[begun]?.seat ?? 0;
      const terms = this.#deal(begun)?.terms ?? [];
      const parties = [...new Set([drafter, seat])].sort((a, b) => a - b);
      const worth = (this.step.outlook?.worth ?? null) as OfferState["worth"];
      const offer: OfferState = {
        offer: 1, seat: drafter, terms, parties, yes: [drafter], no: [], counters: null, status: "open", worth,
        lines: {}, considers: [], words: [], at: 0, ply: 0, turn: 0, mover: drafter,
      };
      return { kind: "answer", offer, yes: move === "yes" };
    }
    const deal = this.#deal(this.at);
    return deal ? { kind: "offer", terms: deal.terms, next: this.#after(deal.answers) } : { kind: "move", move };
  }

  /** Go on by one step, but not into the middle of another seat's draft: a live table shows its offer, not its making. */
  next(): void {
    const deal = this.task === null && this.step.seat !== null ? this.#deal(this.at) : null;
    this.#go(deal ? deal.answers : this.at + 1);
  }

  #go(at: number): void {
    this.at = Math.min(at, this.lesson.steps.length - 1);
    this.actions = [];
    const step = this.step;
    if (this.task && step.ledger !== null)
      void this.#draft([]).then((info) => this.step === step && (this.actions = info.more), () => undefined);
  }

  restart(): void {
    this.#go(this.lesson.steps.findIndex((step) => step.say.length > 0));
  }

  /** Do what is to be done. */
  show(): void {
    this.#done();
  }

  #done(): void {
    this.#go(this.task?.kind === "offer" ? this.task.next : this.at + 1);
  }

  #draft(terms: string[]): Promise<DraftInfo> {
    return ask<DraftInfo>("POST", `/api/lessons/${this.lesson.game}/plies/${this.step.ply}/draft`, { terms });
  }

  #only(right: boolean): void {
    if (right) this.#done();
    else tell(say("lesson.not_this", { hint: this.texts.at(-1) ?? "" }));
  }

  get #acts(): Acts {
    const nothing = async (): Promise<void> => {};
    const task = this.task;
    return {
      play: async (move) => this.#only(task?.kind === "move" && task.move === move),
      offer: async (terms) => this.#only(task?.kind === "offer" && [...terms].sort().join() === [...task.terms].sort().join()),
      answer: async (_, yes) => this.#only(task?.kind === "answer" && task.yes === yes),
      draft: (terms) => this.#draft(terms),
      confirm: nothing,
      takeBack: nothing,
      withdraw: nothing,
      ready: nothing,
      drafting: nothing,
    };
  }

  get scene(): Scene {
    const { lesson, step, task } = this;
    // While an offer is answered the table looks as before its drafting, as at a live table.
    const shown = task?.kind === "answer" ? (lesson.steps[this.#begun(this.at)] ?? step) : step;
    const lines: Line[] = lesson.steps
      .slice(0, lesson.steps.indexOf(shown))
      .map(({ ply, seat, move }) => ({ ply, seat, move, undo: false, points: null }));
    const turn = shown.view["turn"];
    return {
      game: lesson.game,
      view: shown.view,
      outlook: shown.outlook,
      ledger: shown.ledger as Scene["ledger"],
      seat: lesson.seat,
      seats: lesson.names.map((name) => ({ kind: "person", name, bot: null, resigned: false })),
      names: lesson.names,
      turn: typeof turn === "number" ? turn : null,
      moves: task?.kind === "answer" ? [] : step.moves,
      asks: task?.kind === "offer" ? this.actions.filter((action) => action.includes("(")) : [],
      actions: this.actions,
      chosen: null,
      confirmBy: null,
      desk: step.ledger === null ? null : { offers: task?.kind === "answer" ? [task.offer] : [], ready: [], undo: null, drafting: [], words: [], until: null, asked: [], prices: [] },
      lines,
      result: null,
      acts: task ? this.#acts : null,
      suggested: null,
      point: step.point,
      place: "lesson",
    };
  }
}
