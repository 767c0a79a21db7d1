import { errorMessage } from '@hypershift-ts/kube-apimachinery';
import { done, type Step, waiting } from '@hypershift-ts/kube-controller';
import { reconcileInfrastructure } from '../../infrastructure/reconcile.ts';
import { infrastructureStatus } from '../../infrastructure/status.ts';
import { componentContext, type Pass } from '../pass.ts';
import { serviceWarnings } from '../root-cause/pending-services.ts';
import { unlessSettled } from './settled-step.ts';

/** Services and Routes first: certificates name their addresses. */
export const infrastructure: Step<Pass> = {
  name: 'infrastructure',
  kind: 'critical',
  async run(pass) {
    try {
      await unlessSettled(pass, 'infrastructure', async (seen) => {
        await reconcileInfrastructure(componentContext(seen), seen.client);
        return { result: undefined };
      });
    } catch (error) {
      // What was refused, such as a port somebody else has, tells more than what lacks because of it.
      const status = infrastructureStatus(pass, pass.now);
      pass.infrastructure = status.ready ? status : { ...status, message: errorMessage(error) };
      throw error;
    }
    const first = infrastructureStatus(pass, pass.now);
    const status = first.ready ? first : infrastructureStatus(pass, pass.now, await serviceWarnings(pass));
    pass.infrastructure = status;
    // Addresses come by the Services' status, which is watched.
    return status.ready ? done() : waiting('WaitingOnInfrastructureReady', status.message);
  },
};
