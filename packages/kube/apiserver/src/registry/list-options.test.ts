import { describe, expect, it } from 'vitest';
import { checkListOptions, type ListOptionsQuery } from './list-options.ts';

function answer(query: Partial<ListOptionsQuery>): string {
  const nothing = {
    watch: false,
    resourceVersion: '',
    resourceVersionMatch: '',
    continue: '',
    sendInitialEvents: undefined,
  };
  try {
    checkListOptions({ ...nothing, ...query });
    return '';
  } catch (error) {
    return `${(error as { code: number }).code} ${(error as Error).message.split(' is invalid: ')[1]}`;
  }
}

const exact = { resourceVersionMatch: 'Exact' };
const notOlder = { resourceVersionMatch: 'NotOlderThan' };

// What kube-apiserver 1.37 answers.
describe('checkListOptions', () => {
  it.each<[Partial<ListOptionsQuery>, string]>([
    [{}, ''],
    [{ ...exact, resourceVersion: '5' }, ''],
    [{ ...notOlder, resourceVersion: '0' }, ''],
    [{ watch: true, resourceVersion: '5' }, ''],
    [{ watch: true, ...notOlder, sendInitialEvents: true }, ''],
    [
      exact,
      '422 resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [
      { ...exact, resourceVersion: '0' },
      '422 resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    [
      { resourceVersionMatch: 'Bad', resourceVersion: '1' },
      '422 resourceVersionMatch: Unsupported value: "Bad": supported values: "Exact", "NotOlderThan", ""',
    ],
    [
      { ...exact, continue: 'x' },
      '422 resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    ],
    [{ sendInitialEvents: true }, '422 sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
    [
      { watch: true, ...notOlder, resourceVersion: '1' },
      '422 resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
    [
      { watch: true, sendInitialEvents: true },
      '422 resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    [
      { watch: true, sendInitialEvents: true, ...exact },
      '422 [resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
    ],
  ])('When the query says %j, it should answer %j', (query, expected) => {
    expect(answer(query)).toBe(expected);
  });
});
