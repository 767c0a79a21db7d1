/** Where something stands in an expression: 1-based line, 0-based column counted in code points. */
export interface Location {
  readonly line: number;
  readonly column: number;
}

/** One problem found while parsing or checking. */
export interface CelIssue {
  readonly message: string;
  readonly location: Location;
}

/** Line and column of a UTF-16 offset. Only computed for errors, so it may scan the text. */
export function locationAt(source: string, offset: number): Location {
  if (offset < 0) return { line: -1, column: -1 };
  let line = 1;
  let lineStart = 0;
  for (let i = source.indexOf('\n'); i !== -1 && i < offset; i = source.indexOf('\n', i + 1)) {
    line++;
    lineStart = i + 1;
  }
  return { line, column: codePointLength(source.slice(lineStart, offset)) };
}

const MAX_ISSUES = 100;

/** In the order of the text; more than a hundred help nobody. */
export function sortIssues(issues: readonly CelIssue[]): readonly CelIssue[] {
  return issues
    .toSorted((a, b) => a.location.line - b.location.line || a.location.column - b.location.column)
    .slice(0, MAX_ISSUES);
}

/** Renders issues in the layout cel-go prints and Kubernetes embeds in its own messages. */
export function renderIssues(source: string, issues: readonly CelIssue[]): string {
  const lines = source.split('\n');
  return issues.map((issue) => renderIssue(lines, issue)).join('\n');
}

function renderIssue(lines: readonly string[], { message, location }: CelIssue): string {
  const head = `ERROR: <input>:${location.line}:${location.column + 1}: ${message}`;
  const text = location.line < 1 ? undefined : lines[location.line - 1];
  if (text === undefined) return head;
  const shown = text.replaceAll('\t', ' ');
  let pointer = '';
  let column = 0;
  let marker = '^';
  for (const char of shown) {
    const wide = char.codePointAt(0)! > 0x7f;
    if (column++ === location.column) {
      marker = wide ? '\uff3e' : '^';
      break;
    }
    pointer += wide ? '\uff0e' : '.';
  }
  return `${head}\n | ${shown}\n | ${pointer}${marker}`;
}

/** Length in code points, which is what CEL calls the size of a string. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        length--;
        i++;
      }
    }
  }
  return length;
}
