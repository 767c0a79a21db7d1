import type { SettledWork } from '../../framework/settled.ts';
import { componentContext, inputsOf, type Pass } from '../pass.ts';

/** Does a step's work unless everything it would look at is as it was the last time; see Settled. */
export async function unlessSettled<T>(
  pass: Pass,
  step: string,
  work: (pass: Pass) => Promise<SettledWork<T>>,
): Promise<T> {
  const { upkeep, lookup, now } = pass;
  const inputs = inputsOf(componentContext(pass));
  const { result } = await upkeep.work.once(step, { inputs, lookup, now }, (recorded) =>
    work({ ...pass, lookup: recorded }),
  );
  return result;
}
