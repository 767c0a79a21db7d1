import type { BuiltinContext } from '@hypershift-ts/kube-kubelet';
import { type Endpoint, openEndpoint } from '@hypershift-ts/kube-programs';

/** `/healthz` and `/readyz` of an operator, on its pod's address. */
export function operatorHealth(program: BuiltinContext, port: number, isReady: () => boolean): Promise<Endpoint> {
  return openEndpoint({
    address: program.podIP,
    port,
    program,
    answer: (path) => {
      if (path === '/healthz') return { status: 200, body: 'ok' };
      if (path === '/readyz') return isReady() ? { status: 200, body: 'ok' } : { status: 503, body: 'starting' };
      return undefined;
    },
  });
}
