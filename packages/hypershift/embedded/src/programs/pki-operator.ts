import { pkiOperator } from '@hypershift-ts/hypershift-pki-operator';
import type { BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import {
  parseDuration,
  type ProcessDirectory,
  programLog,
  serviceAccountClient,
  stopped,
} from '@hypershift-ts/kube-programs';

/** `control-plane-pki-operator operator`: break-glass access to one hosted cluster. */
export function pkiOperatorProgram(directory: ProcessDirectory): BuiltinProgram {
  return async (context) => {
    const client = serviceAccountClient(context, directory, 'control-plane-pki-operator');
    const scale = parseDuration(context.env['CERT_ROTATION_SCALE'] || '0s', 'CERT_ROTATION_SCALE');
    const operator = pkiOperator({
      managementClient: client,
      namespace: context.env['HOSTED_CONTROL_PLANE_NAMESPACE'] ?? context.pod.metadata.namespace ?? '',
      ...(scale > 0 ? { rotationScale: scale } : {}),
      clock: context.clock,
      logger: programLog(context),
    });
    try {
      await operator.start();
      await stopped(context.signal);
    } finally {
      await operator.stop();
      await client.close();
    }
  };
}
