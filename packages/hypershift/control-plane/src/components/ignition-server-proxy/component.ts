import { isNotPlatform, runsIgnitionServer } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { isOpenShiftPayload } from '../../framework/context.ts';
import { configMap } from '../../framework/manifest.ts';
import { configMapVolume, secretVolume } from '../../framework/pod.ts';

const isNotIbm = isNotPlatform('IBMCloud');

/** Stands in front of the ignition server, so that machines never talk to a pod with access to the management cluster. */
export const ignitionServerProxy = component('ignition-server-proxy', {
  dependsOn: ['ignition-server'],
  requestServing: true,
  zones: true,
  enabled: (context) => runsIgnitionServer(context) && isNotIbm(context),
  pod: (context) => ({
    containers: [
      {
        name: 'haproxy',
        image: 'haproxy-router',
        ...(isOpenShiftPayload(context)
          ? {
              command: ['/bin/bash', '-c'],
              // HAProxy wants certificate and key in one file.
              args: [
                'set -e; cat /etc/ssl/serving-cert/tls.crt /etc/ssl/serving-cert/tls.key > /tmp/tls.pem; exec haproxy -f /etc/haproxy/haproxy.cfg',
              ],
            }
          : { command: ['haproxy'], args: ['-f', '/etc/haproxy/haproxy.cfg'] }),
        cpu: '10m',
        memory: '20Mi',
        ports: { https: 8443 },
        mounts: { 'serving-cert': '/etc/ssl/serving-cert', 'root-ca': '/etc/ssl/root-ca', config: '/etc/haproxy' },
      },
    ],
    volumes: {
      'serving-cert': secretVolume('ignition-server-serving-cert'),
      'root-ca': configMapVolume('root-ca'),
      config: configMapVolume('ignition-server-proxy'),
    },
  }),
  // Its Service belongs to the infrastructure, because publishing decides the type.
  manifests: [configMap('ignition-server-proxy', { 'haproxy.cfg': configuration() })],
});

function configuration(): string {
  return `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s

frontend machines
  bind :::8443 v4v6 ssl crt /tmp/tls.pem alpn http/1.1
  default_backend ignition

backend ignition
  server ignition-server ignition-server:443 check ssl ca-file /etc/ssl/root-ca/ca.crt alpn http/1.1
`;
}
