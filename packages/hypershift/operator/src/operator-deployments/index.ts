/** The operators that the HyperShift operator runs beside each control plane, as components with their reports. */
export * from './components.ts';
export { podDeclarationOf } from './pod-declaration.ts';
export * from './webhook-certificate.ts';
