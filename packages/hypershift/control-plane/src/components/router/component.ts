import { component } from '../../framework/component.ts';
import { configMap, podDisruptionBudget } from '../../framework/manifest.ts';
import { configMapVolume, http } from '../../framework/pod.ts';
import { usesOwnRouter } from '../../infrastructure/publishing.ts';
import { routerConfiguration } from './configuration.ts';

const selector = { app: 'private-router' };

/** Sends connections to the services of this control plane by the host name they ask for. */
export const router = component('router', {
  selector,
  dependsOn: ['ignition-server'],
  requestServing: true,
  zones: true,
  enabled: usesOwnRouter,
  pod: () => ({
    containers: [
      {
        name: 'router',
        image: 'haproxy-router',
        command: ['haproxy'],
        args: ['-f', '/usr/local/etc/haproxy'],
        cpu: '50m',
        memory: '40Mi',
        ports: { https: 8443 },
        mounts: { config: '/usr/local/etc/haproxy/haproxy.cfg#haproxy.cfg' },
        liveness: http('/haproxy_ready', 9444, { delay: 50, period: 10, timeout: 1, failures: 3 }),
      },
    ],
    volumes: { config: configMapVolume('router') },
  }),
  manifests: [
    configMap('router', (context) => ({ 'haproxy.cfg': routerConfiguration(context) })),
    podDisruptionBudget('router', selector),
  ],
});
