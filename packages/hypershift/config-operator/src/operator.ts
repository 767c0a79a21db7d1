import { InformerCache } from '@hypershift-ts/kube-client';
import { type Controller, Manager } from '@hypershift-ts/kube-controller';
import { type Platform, platformFor } from '@hypershift-ts/hypershift-platforms';
import { hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { connectionsController } from './connections/controller.ts';
import { controllerManagerCaController } from './controller-manager-ca/controller.ts';
import { drainerController } from './drainer/controller.ts';
import { ensureGuestKinds } from './guest/served-kinds.ts';
import { globalPullSecretController } from './global-pull-secret/controller.ts';
import { hcpStatusController } from './hcp-status/controller.ts';
import { inPlaceUpgraderController } from './in-place-upgrader/controller.ts';
import { machineController } from './machine/controller.ts';
import { nodeController } from './node/controller.ts';
import { nodeCountController } from './node-count/controller.ts';
import { observedConfigControllers } from './observed-config/controller.ts';
import type { ConfigOperatorOptions, GuestScope } from './options.ts';
import { reencryptionController } from './reencryption/controller.ts';
import { resourcesController } from './resources/controller.ts';
import { restoredClusterController } from './restored-cluster/controller.ts';
import { spotRemediationController } from './spot-remediation/controller.ts';
import { webhookValidationControllers } from './webhook-validation/controller.ts';

/** Keeps the inside of one hosted cluster as its control plane says, until the signal aborts. */
export async function runHostedClusterConfigOperator(options: ConfigOperatorOptions): Promise<void> {
  const { managementClient, hostedClient, clock, logger, leaderElection, signal } = options;
  const onError = (error: unknown, type: { readonly resource: string }) =>
    logger.warn({ err: error, resource: type.resource }, 'watch will be retried');
  const guest = new InformerCache({ client: hostedClient, clock, onError });
  const management = new InformerCache({ client: managementClient, clock, onError });
  const scope: GuestScope = { options, guest, management };
  try {
    const hcp = await managementClient.get(
      hostedControlPlanes,
      { namespace: options.namespace, name: options.hostedControlPlaneName },
      { signal },
    );
    await ensureGuestKinds(hostedClient, signal);
    const manager = new Manager({
      client: managementClient,
      cache: management,
      clock,
      logger,
      ...(leaderElection ? { leaderElection } : {}),
    });
    manager.add(...configControllers(scope, platformFor(hcp.spec.platform.type)));
    guest.start();
    await manager.run(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await Promise.all([guest.stop(), management.stop()]);
  }
}

/** Every controller of the operator; some only where the platform has a use for them. */
function configControllers(scope: GuestScope, { guest }: Platform): readonly Controller[] {
  return [
    resourcesController(scope),
    hcpStatusController(scope),
    connectionsController(scope),
    nodeController(scope),
    inPlaceUpgraderController(scope),
    drainerController(scope),
    controllerManagerCaController(scope),
    ...webhookValidationControllers(scope),
    reencryptionController(scope),
    ...observedConfigControllers(scope),
    restoredClusterController(scope),
    ...((scope.options.reportNodeCount ?? true) ? [nodeCountController(scope)] : []),
    ...(guest.syncsPullSecrets ? [globalPullSecretController(scope)] : []),
    ...(guest.interruptsMachines ? [spotRemediationController(scope)] : []),
    ...(guest.ingressPassthrough ? [machineController(scope)] : []),
  ];
}
