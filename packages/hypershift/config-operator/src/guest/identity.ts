/** Users of the control plane inside the hosted cluster; its API server knows them by their certificates. */
export const configOperatorUser = 'system:hosted-cluster-config';
export const bootstrapUser = 'system:kas-bootstrap-container';
