export const machineApiNamespace = 'openshift-machine-api';
export const clusterApiNamespace = 'openshift-cluster-api';

export const oldKey = (name: string) => ({ name, namespace: machineApiNamespace });
export const newKey = (name: string) => ({ name, namespace: clusterApiNamespace });
