/** The texts of RFC 7234 `Warning` headers with code 299: `299 - "text" ["date"]`, several separated by commas. */
function parseWarnings(header: string | readonly string[] | undefined): string[] {
  if (header === undefined) return [];
  const values = typeof header === 'string' ? [header] : header;
  return values.flatMap(parseOne);
}

function parseOne(value: string): string[] {
  const texts: string[] = [];
  let at = 0;
  while (at < value.length) {
    while (value[at] === ' ' || value[at] === ',') at++;
    const code = value.slice(at, at + 3);
    const open = value.indexOf('"', at);
    if (open < 0) return texts;
    const { text, end } = quoted(value, open);
    if (code === '299') texts.push(text);
    at = end;
    // An optional quoted date follows the text.
    if (value[at] === ' ' && value[at + 1] === '"') at = quoted(value, at + 1).end;
  }
  return texts;
}

function quoted(value: string, open: number): { text: string; end: number } {
  let text = '';
  let at = open + 1;
  for (; at < value.length && value[at] !== '"'; at++) {
    if (value[at] === '\\') at++;
    text += value[at] ?? '';
  }
  return { text, end: at + 1 };
}

const maxRemembered = 1000;

/** Passes each text on once. */
export class WarningFilter {
  private readonly seen = new Set<string>();

  deliver(header: string | readonly string[] | undefined, to: ((text: string) => void) | undefined): void {
    if (header === undefined || !to) return;
    for (const text of parseWarnings(header)) {
      if (this.seen.has(text)) continue;
      if (this.seen.size >= maxRemembered) this.seen.clear();
      this.seen.add(text);
      to(text);
    }
  }
}
