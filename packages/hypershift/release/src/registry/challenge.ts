/** One challenge of a `WWW-Authenticate` header. */
export interface Challenge {
  /** Lower case, for example `bearer`. */
  readonly scheme: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const tokenCharacter = /[A-Za-z0-9!#$%&'*+.^_`|~-]/;

/** Reads a `WWW-Authenticate` header with any number of challenges. What it does not understand it leaves out. */
export function parseChallenges(header: string): readonly Challenge[] {
  const text = header.slice(0, 8192);
  const challenges: { scheme: string; parameters: Record<string, string> }[] = [];
  let at = 0;
  const skip = (pattern: RegExp) => {
    while (at < text.length && pattern.test(text[at] as string)) at++;
  };
  const token = () => {
    const start = at;
    skip(tokenCharacter);
    return text.slice(start, at);
  };
  while (at < text.length) {
    skip(/[\s,]/);
    const word = token();
    if (word === '') {
      at++;
      continue;
    }
    skip(/\s/);
    const current = challenges.at(-1);
    if (text[at] !== '=' || !current) {
      challenges.push({ scheme: word.toLowerCase(), parameters: Object.create(null) as Record<string, string> });
      continue;
    }
    at++;
    skip(/\s/);
    current.parameters[word.toLowerCase()] = text[at] === '"' ? quoted() : token();
  }
  return challenges;

  function quoted(): string {
    let value = '';
    for (at++; at < text.length && text[at] !== '"'; at++) {
      if (text[at] === '\\') at++;
      value += text[at] ?? '';
    }
    at++;
    return value;
  }
}
