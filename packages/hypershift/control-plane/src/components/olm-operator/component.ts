import { olmApis, olmOperator } from './olm.ts';

/** Runs operators that were installed. */
export const operatorLifecycleOperator = olmOperator('olm-operator', {
  memory: '160Mi',
  clientVolume: 'client-ca',
  requiredApis: olmApis,
  command: '/bin/olm',
  args: () => [
    '--namespace',
    '$(OPERATOR_NAMESPACE)',
    '--writeStatusName',
    'operator-lifecycle-manager',
    '--writePackageServerStatusName=',
  ],
});
