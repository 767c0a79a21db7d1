import { describe, expect, it } from 'vitest';
import { instantFromMs } from '../instant.ts';
import { vectors } from '../testing/vectors.ts';
import { outcomeOf, parseReport, statusFrom } from './index.ts';

const now = Date.UTC(2026, 0, 10, 10);
const minutes = (count: number) => instantFromMs(now + count * 60_000);
const condition = (type: string, status = 'True') => ({ type, status });
const complete = [condition('Available'), condition('Applied'), condition('Health')];
const body = { adapter: 'dns', observed_generation: 2, observed_time: minutes(0), conditions: complete };
const unknown = [condition('Available', 'Unknown'), condition('Applied'), condition('Health')];

const stored = (over: object = {}) => statusFrom(parseReport({ ...body, ...over }, now), undefined, minutes(0));

/** The HTTP status a report gets, as the server derives it from the rules. */
function answer(over: object, generation: number, before?: ReturnType<typeof stored>) {
  try {
    const outcome = outcomeOf(parseReport({ ...body, ...over }, now), generation, before);
    return outcome.store ? { http: 201, aggregated: outcome.aggregate } : { http: 204 };
  } catch (error) {
    return { http: (error as { status: number }).status };
  }
}

const scenarios: Record<string, () => { http: number; aggregated?: boolean }> = {
  'observed_generation > resource generation': () => answer({}, 1),
  "observed_generation < stored report's generation": () => answer({ observed_generation: 1 }, 2, stored()),
  'same generation, observed_time earlier than stored': () => answer({ observed_time: minutes(-1) }, 2, stored()),
  'Available Unknown and a report is already stored': () => answer({ conditions: unknown }, 2, stored()),
  'Available Unknown and nothing stored': () => answer({ conditions: unknown }, 2),
  'Applied, Available or Health missing': () => answer({ conditions: complete.slice(0, 2) }, 2),
  'observed_time more than 5 minutes ahead or 30 minutes behind': () => answer({ observed_time: minutes(6) }, 2),
  otherwise: () => answer({ observed_time: minutes(1) }, 2, stored()),
};

const file = 'expected/aggregation-cases.json';
interface Row {
  when: string;
  http: number;
  aggregated?: boolean;
}

describe.skipIf(!vectors.has(file))('Outcomes of a report by the shared table', () => {
  const rows = vectors.has(file) ? vectors.json<{ putOutcomes: Row[] }>(file).putOutcomes : [];
  it.each(rows)('When $when, it should answer $http', ({ when, ...expected }) => {
    expect(scenarios[when]?.()).toMatchObject(expected);
  });
});

describe('parseReport', () => {
  it.each([
    [{ adapter: '' }, 'adapter is required'],
    [{ observed_generation: 0 }, 'observed_generation must be >= 1'],
    [{ observed_generation: '2' }, "field 'observed_generation' must be a number"],
    [{ observed_generation: 1.5 }, 'without fraction'],
    [{ observed_time: minutes(-31) }, 'more than 30m0s in the past'],
    [{ observed_time: '1736503200' }, 'RFC 3339'],
    [{ observed_time: undefined }, 'observed_time is required'],
    [{ conditions: [] }, 'conditions must not be empty'],
    [{ conditions: [condition('A'), condition('A')] }, "duplicate condition type 'A' at index 1"],
    [{ conditions: [condition('A', 'Maybe')] }, "invalid status value 'Maybe'"],
    [{ data: [] }, "field 'data' must be an object"],
    [{ metadata: { started_time: 'x' } }, 'metadata.started_time'],
  ])('When the body has %j, it should say: %s', (over, problem) => {
    expect(() => parseReport({ ...body, ...over }, now)).toThrow(problem);
  });
});

describe('statusFrom', () => {
  it('When a status stays, it should keep its transition time; when it changes, take the new one', () => {
    const before = stored();
    const later = {
      ...body,
      observed_time: minutes(1),
      conditions: [condition('Available', 'False'), ...complete.slice(1)],
    };
    const after = statusFrom(parseReport(later, now), before, minutes(2));
    expect(after.conditions.map((one) => one.last_transition_time)).toEqual([minutes(1), minutes(0), minutes(0)]);
    expect(after.created_time).toBe(before.created_time);
  });
});
