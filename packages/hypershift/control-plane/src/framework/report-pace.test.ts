import { describe, expect, it } from 'vitest';
import type { ComponentStatus } from './component-status.ts';
import { isOnlyWording, ReportPace } from './report-pace.ts';

const aStatus = (status: 'True' | 'False', reason: string, message = '', version = '4.20.8') =>
  ({ version, conditions: [{ type: 'Available', status, reason, message }] }) as unknown as ComponentStatus;
const pending = aStatus('False', 'NotFound', 'not found');

describe('isOnlyWording', () => {
  it.each([
    ['another step of the way', aStatus('False', 'WaitingForAvailable', 'soon'), true],
    ['it is available', aStatus('True', 'AsExpected'), false],
    ['an error', aStatus('False', 'ReconciliationError', 'no'), false],
    ['another version', aStatus('False', 'NotFound', 'not found', '4.21.6'), false],
  ])('When the news is %s, it should tell', (_, next, expected) => {
    expect(isOnlyWording(pending, next)).toBe(expected);
  });

  it.each([
    ['it is on its way', pending, true],
    ['it is available', aStatus('True', 'AsExpected'), false],
    ['it cannot be made', aStatus('False', 'ReconciliationError', 'no'), false],
  ])('When nothing was reported before and %s, it should know whether that is news', (_, next, expected) => {
    expect(isOnlyWording(undefined, next)).toBe(expected);
  });
});

describe('ReportPace', () => {
  it('When words change often, it should let them wait, but not for ever', () => {
    const pace = new ReportPace(() => 1000);
    expect(pace.mayWrite('a', 0)).toBe(false);
    expect(pace.nextMs(400)).toBe(600);
    expect(pace.mayWrite('a', 400)).toBe(false);
    expect(pace.mayWrite('a', 1000)).toBe(true);
    pace.written('a');
    expect(pace.nextMs(1000)).toBeUndefined();
  });
});
