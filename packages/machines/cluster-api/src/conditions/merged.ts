import { type NewState, newState } from './v1beta2.ts';

/** The same condition of one of many objects. */
export interface Told {
  readonly name: string;
  /** Undefined while the object does not have the condition. */
  readonly state: Pick<NewState, 'status' | 'message'> | undefined;
}

/** Messages, and objects of one message, that are told before the rest is only counted. */
const most = 3;

const isBullet = (line: string) => /^\s*\* /.test(line);

/** A message under a headline: on the same line if it is one sentence, indented as a list otherwise. */
export function nested(message: string): string {
  const lines = message.split('\n');
  if (lines.length === 1 && !isBullet(message)) return ` ${message}`;
  const mixed = lines.some((line) => !isBullet(line));
  const indented = lines.map((line) => `  ${mixed ? (isBullet(line) ? '  ' : '* ') : ''}${line}`);
  return `\n${indented.join('\n')}`;
}

interface Group {
  readonly message: string;
  readonly known: boolean;
  readonly names: string[];
}

/** Who is not as it should be and why: what is certain before what is unknown, what many say before what few say. */
export function mergedMessage(kind: string, wrong: readonly Told[]): string {
  const groups = new Map<string, Group>();
  for (const { name, state } of wrong) {
    const message = state?.message ?? '';
    const group = groups.get(message);
    if (group) group.names.push(name);
    else groups.set(message, { message, known: state?.status !== 'Unknown', names: [name] });
  }
  const ordered = [...groups.values()].sort(
    (a, b) =>
      Number(b.known) - Number(a.known) || b.names.length - a.names.length || (leastOf(a) < leastOf(b) ? -1 : 1),
  );
  const lines = ordered.slice(0, most).map(({ message, names }) => `* ${named(kind, names)}:${nested(message)}`);
  const rest = ordered.slice(most);
  for (const [known, what] of [
    [true, 'with other issues'],
    [false, 'with status unknown'],
  ] as const) {
    const count = rest.reduce((sum, group) => sum + (group.known === known ? group.names.length : 0), 0);
    if (count > 0) lines.push(`And ${count} ${count === 1 ? kind : `${kind}s`} ${what}`);
  }
  return lines.join('\n');
}

const leastOf = ({ names }: Group) => names.reduce((least, name) => (name < least ? name : least));

/** `Machine a`, `Machines a, b`, `Machines a, b, c, ... (2 more)`. */
export function named(kind: string, names: readonly string[]): string {
  const [first = ''] = names;
  if (names.length === 1) return `${kind} ${first}`;
  const more = names.length > most ? `, ... (${names.length - most} more)` : '';
  return `${kind}s ${[...names].sort().slice(0, most).join(', ')}${more}`;
}

/** One condition for the same one of many objects; `good` is what its reason is called when all is well. */
export function mergedState(type: string, kind: string, good: string, told: readonly Told[]): NewState {
  if (told.length === 0) return newState(type, 'True', 'NoReplicas');
  const wrong = told
    .filter(({ state }) => state?.status !== 'True')
    .map(({ name, state }) => ({ name, state: state ?? notReported(good) }));
  if (wrong.length === 0) return newState(type, 'True', good);
  const known = wrong.some(({ state }) => state.status === 'False');
  return newState(
    type,
    known ? 'False' : 'Unknown',
    known ? `Not${good}` : `${good}Unknown`,
    mergedMessage(kind, wrong),
  );
}

const notReported = (type: string) => ({ status: 'Unknown', message: `Condition ${type} not yet reported` }) as const;
