import { openshiftControllers } from '../openshift-controller-manager/component.ts';

/** Turns Ingresses of the hosted cluster into Routes and keeps their addresses. */
export const openshiftRouteControllerManager = openshiftControllers('openshift-route-controller-manager', {
  image: 'route-controller-manager',
  command: 'route-controller-manager',
  terminationGracePeriodSeconds: 30,
  configuration: () => ({}),
});
