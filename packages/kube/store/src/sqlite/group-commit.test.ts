import { describe, expect, it } from 'vitest';
import { Mvcc } from '../mvcc.ts';
import { StoreUnavailableError } from '../store.ts';
import { GroupCommit } from './group-commit.ts';

interface Transaction {
  readonly revisions: readonly number[];
  readonly epoch: number;
  readonly succeed: () => void;
  readonly fail: (error: Error) => void;
}

/** A group commit whose transactions end when the test says so. */
function aGroupCommit() {
  const mvcc = new Mvcc();
  const published: number[] = [];
  const transactions: Transaction[] = [];
  const commits = new GroupCommit({
    mvcc,
    write: (rows, epoch) =>
      new Promise((resolve, reject) => {
        transactions.push({ revisions: rows.map(([revision]) => revision), epoch, succeed: resolve, fail: reject });
      }),
    committed: (events) => published.push(...events.map((event) => event.revision)),
  });
  const put = (key: string, expected?: number) =>
    commits.commit({ op: 'put', key, value: 'v', ...(expected === undefined ? {} : { expect: expected }) }, undefined);
  const turn = async () => {
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  return { mvcc, published, transactions, put, turn };
}

describe('GroupCommit', () => {
  it('When commits arrive during a transaction, it should put them all into the next one', async () => {
    const { transactions, put, turn, mvcc } = aGroupCommit();
    const first = put('/a');
    await turn();
    const others = [put('/b'), put('/c'), put('/d')];
    await turn();
    expect(transactions.map((transaction) => transaction.revisions)).toEqual([[2]]);
    expect(mvcc.revision).toBe(1);
    transactions[0]?.succeed();
    await first;
    await turn();
    expect(transactions[1]?.revisions).toEqual([3, 4, 5]);
    transactions[1]?.succeed();
    expect((await Promise.all(others)).map((result) => result.revision)).toEqual([3, 4, 5]);
  });

  it('When a guard meets a write that is not yet durable, it should be judged by it but answer only after it', async () => {
    const { transactions, put, turn } = aGroupCommit();
    const winner = put('/a', 0);
    await turn();
    let answered = false;
    const loser = put('/a', 0).finally(() => {
      answered = true;
    });
    const follower = put('/a', 2);
    await turn();
    expect(answered).toBe(false);
    transactions[0]?.succeed();
    expect(await winner).toMatchObject({ ok: true, revision: 2 });
    expect(await loser).toMatchObject({ ok: false, current: { modRevision: 2 } });
    await turn();
    transactions[1]?.succeed();
    expect(await follower).toMatchObject({ ok: true, revision: 3, previous: { modRevision: 2 } });
  });

  it('When a transaction fails, it should fail all that built on it, publish nothing and go on', async () => {
    const { transactions, put, turn, published, mvcc } = aGroupCommit();
    const lost = [put('/a', 0)];
    await turn();
    lost.push(put('/a', 0), put('/a', 2), put('/b'));
    const outcomes = Promise.allSettled(lost);
    transactions[0]?.fail(new Error('disk full'));
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) as unknown });
    }
    expect(published).toEqual([]);
    expect(mvcc.current('/a')).toBeUndefined();
    const again = put('/a', 0);
    await turn();
    transactions[1]?.succeed();
    expect(await again).toMatchObject({ ok: true, revision: 2 });
    expect(published).toEqual([2]);
  });

  it('When many write at once, it should send two transactions ahead and tell all in order', async () => {
    const { transactions, put, turn, published } = aGroupCommit();
    const writes = Array.from({ length: 100 }, (_, i) => put(`/${i}`));
    // Without a turn of the event loop in between; what is too few for a third waits.
    expect(transactions).toHaveLength(2);
    for (let i = 0; i < 5; i++) {
      for (const { succeed } of transactions) succeed();
      await turn();
    }
    await Promise.all(writes);
    expect(transactions).toHaveLength(3);
    expect(published).toEqual(Array.from({ length: 100 }, (_, i) => i + 2));
  });

  it('When a transaction fails while another is behind it, both should be lost and the next begin a new epoch', async () => {
    const { transactions, put, turn, published } = aGroupCommit();
    const lost = Promise.allSettled(Array.from({ length: 40 }, (_, i) => put(`/${i}`, 0)));
    expect(transactions).toHaveLength(2);
    transactions[0]?.fail(new Error('disk full'));
    expect((await lost).every(({ status }) => status === 'rejected')).toBe(true);
    const again = put('/0', 0);
    await turn();
    // The one behind hears of it only now.
    transactions[1]?.fail(new Error('the transaction before this one failed'));
    await turn();
    expect(transactions.map(({ epoch }) => epoch)).toEqual([0, 0, 1]);
    transactions[2]?.succeed();
    expect(await again).toMatchObject({ ok: true, revision: 2 });
    expect(published).toEqual([2]);
  });
});
