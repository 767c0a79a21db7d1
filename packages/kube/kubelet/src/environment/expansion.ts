/**
 * Replaces `$(NAME)` by its value, as Kubernetes does in commands, arguments and environment values: `$$` stands for one
 * dollar sign, and a name nobody defined stays as it was written.
 */
export function expand(text: string, valueOf: (name: string) => string | undefined): string {
  let result = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char !== '$' || at + 1 >= text.length) {
      result += char;
      continue;
    }
    const next = text[at + 1] as string;
    if (next === '$') {
      result += '$';
      at++;
    } else if (next === '(') {
      const close = text.indexOf(')', at + 2);
      if (close < 0) {
        result += '$(';
        at++;
      } else {
        const name = text.slice(at + 2, close);
        result += valueOf(name) ?? `$(${name})`;
        at = close;
      }
    } else {
      result += `$${next}`;
      at++;
    }
  }
  return result;
}
