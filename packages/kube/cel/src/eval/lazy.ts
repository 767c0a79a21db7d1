import { CelRuntimeError, CostExceeded, EvalFailure } from '../errors.ts';
import type { CelValue } from '../values/value.ts';
import type { Bindings } from './frame.ts';

/**
 * An object whose fields are computed when first read and then remembered, failures included. Serves both as
 * bindings (a variable nobody mentions costs nothing) and as a composite such as the `variables` of a policy.
 * A function may throw the `CelRuntimeError` of another evaluation; readers then fail with it.
 */
export function lazyObject(fields: Readonly<Record<string, () => CelValue>>): Bindings {
  const object = {};
  for (const [name, compute] of Object.entries(fields)) {
    let state: { readonly value: CelValue } | { readonly failure: unknown } | undefined;
    const get = (): CelValue => {
      state ??= attempt(compute);
      if ('failure' in state) throw state.failure;
      return state.value;
    };
    Object.defineProperty(object, name, { enumerable: true, get });
  }
  return Object.freeze(object);
}

function attempt(compute: () => CelValue): { readonly value: CelValue } | { readonly failure: unknown } {
  try {
    return { value: compute() };
  } catch (error) {
    if (!(error instanceof CelRuntimeError)) return { failure: error };
    return { failure: error.kind === 'cost' ? new CostExceeded() : new EvalFailure(error.message) };
  }
}
