/** Kubeconfigs of hosted clusters. */
export { kubeconfigText, type KubeconfigRequest } from './read.ts';
