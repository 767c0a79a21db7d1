import { formatTime } from '@hypershift-ts/kube-apimachinery';
import { done, type Step } from '@hypershift-ts/kube-controller';
import type { ComponentOutcome } from '../../framework/reconcile.ts';
import { componentContext, inputsOf, type Pass } from '../pass.ts';

/** Components worked on at the same time: enough to hide the latency of writes, few enough to leave room for others. */
const parallel = 8;

/** Every component, as far as its dependencies allow; a failing one stops nobody. */
export const components: Step<Pass> = {
  name: 'components',
  kind: 'best-effort',
  async run(pass) {
    const outcomes = await reconcileAll(pass);
    const failures = outcomes.filter(({ error }) => error !== undefined);
    if (failures.length > 0) throw new ComponentsFailed(failures);
    const isBehind = outcomes.some(({ state }) => state === 'stale');
    const againMs = isBehind ? 50 : pass.upkeep.pace.nextMs(pass.now);
    return done(againMs === undefined ? {} : { requeueAfterMs: againMs });
  },
};

async function reconcileAll(pass: Pass): Promise<readonly ComponentOutcome[]> {
  const context = componentContext(pass);
  const { upkeep, lookup, now } = pass;
  const given = { inputs: inputsOf(context), lookup, now };
  const writer = { client: pass.client, now: () => formatTime(now), pace: upkeep.pace };
  const outcomes: ComponentOutcome[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let i = next++; i < pass.components.length; i = next++) {
      const component = pass.components[i]!;
      outcomes[i] =
        upkeep.settled.recall(component, given) ?? (await upkeep.settled.reconcile(component, context, writer, given));
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return outcomes;
}

/** Some components could not be brought to their desired state; each says so in its ControlPlaneComponent as well. */
export class ComponentsFailed extends AggregateError {
  override readonly name = 'ComponentsFailed';

  constructor(failures: readonly ComponentOutcome[]) {
    super(
      failures.map(({ error }) => error),
      failures.map(({ name, error }) => `${name}: ${error?.message}`).join('; '),
    );
  }
}
