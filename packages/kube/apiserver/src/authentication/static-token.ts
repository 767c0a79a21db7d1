import { createHash } from 'node:crypto';
import type { Authenticated, TokenAuthenticator } from './authenticator.ts';

const digest = (token: string) => createHash('sha256').update(token, 'utf8').digest('hex');

/** One line of CSV with double-quoted fields. */
function csvFields(line: string): string[] {
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const char = line[i];
    if (quoted) {
      if (char !== '"') field += char;
      else if (line[i + 1] === '"') {
        field += '"';
        i++;
      } else quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === ',') {
      fields.push(field);
      field = '';
    } else field += char;
  }
  fields.push(field);
  return fields.map((one) => one.trim());
}

/** `--token-auth-file`: lines of `token,user,uid[,"group1,group2"]`. Throws on a line that has less. */
export function staticTokens(csv: string): TokenAuthenticator {
  // By digest: looking up takes the same time however close a guess is.
  const users = new Map<string, Authenticated>();
  for (const [index, line] of csv.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [token = '', name = '', uid, groups = ''] = csvFields(line);
    if (uid === undefined) throw new Error(`token file line ${index + 1} needs at least token, user and uid`);
    if (token === '') continue;
    const list = groups
      .split(',')
      .map((group) => group.trim())
      .filter((group) => group !== '');
    users.set(digest(token), { user: { name, groups: list, ...(uid ? { uid } : {}) } });
  }
  return { authenticateToken: (token) => users.get(digest(token)) };
}
