/** The kubeconfig format and the usual way to fill it. */
export * from './document.ts';
export * from './kubeconfig-for.ts';
