/** Answers to questions that cost requests. They explain what lasts, so asking at every look would tell nothing new. */
export class RecentCauses {
  private readonly known = new Map<string, { readonly at: number; readonly answer: unknown }>();
  private readonly keptMs: number;

  constructor(keptMs: number) {
    this.keptMs = keptMs;
  }

  /** The answer of a moment ago, or a new one; `now` is in milliseconds. */
  async of<T>(question: string, now: number, ask: () => Promise<T>): Promise<T> {
    const known = this.known.get(question);
    if (known && now - known.at < this.keptMs) return known.answer as T;
    const answer = await ask();
    this.known.set(question, { at: now, answer });
    return answer;
  }
}
