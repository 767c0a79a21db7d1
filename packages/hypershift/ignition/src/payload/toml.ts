/** TOML's quoted string. */
export const tomlString = (text: string): string => JSON.stringify(text).replace(/\u007f/g, '\\u007f');

/** TOML's array of strings. */
export const tomlStrings = (texts: readonly string[]): string => `[${texts.map(tomlString).join(', ')}]`;
