import { describe, expect, it } from 'vitest';
import { parseProxyAgentFlags } from './agent-flags.ts';
import { parseProxyServerFlags } from './server-flags.ts';

/** As the control plane's manifests start it. */
const serverArgs = [
  '--logtostderr=true',
  '--cluster-cert=/etc/konnectivity/cluster/tls.crt',
  '--cluster-key=/etc/konnectivity/cluster/tls.key',
  '--cluster-ca-cert=/etc/konnectivity/ca/ca.crt',
  '--server-cert=/etc/konnectivity/server/tls.crt',
  '--server-key=/etc/konnectivity/server/tls.key',
  '--server-ca-cert=/etc/konnectivity/ca/ca.crt',
  '--server-port=8090',
  '--agent-port=8091',
  '--health-port=2041',
  '--admin-port=8093',
  '--mode=http-connect',
  '--proxy-strategies=destHost,defaultRoute',
  '--keepalive-time=30s',
  '--frontend-keepalive-time=30s',
  '--server-count',
  '3',
];

describe('flags of the server', () => {
  it('When started as in a hosted control plane, it should read every flag', () => {
    const { options, front, agents } = parseProxyServerFlags(serverArgs, { PROXY_SERVER_ID: 'kas-0' });
    expect(options).toMatchObject({
      mode: 'http-connect',
      serverID: 'kas-0',
      serverCount: 3,
      strategies: ['destHost', 'defaultRoute'],
      keepaliveMs: 30_000,
      health: { host: '0.0.0.0', port: 2041 },
      admin: { host: '127.0.0.1', port: 8093 },
    });
    expect(front).toMatchObject({ port: 8090, tls: { cert: '/etc/konnectivity/server/tls.crt' } });
    expect(agents).toMatchObject({ port: 8091, tls: { ca: '/etc/konnectivity/ca/ca.crt' } });
  });

  it.each([
    [['--mode=ftp'], '--mode'],
    [['--proxy-strategies=nearest'], '--proxy-strategies'],
    [['--server-port=many'], '--server-port'],
    [['--keepalive-time=soon'], '--keepalive-time'],
    [['--uds-name=/run/k.sock'], '--server-port'],
    [['--server-cert=/tls.crt'], '--server-cert'],
    [['--no-such-flag'], '--no-such-flag'],
    [['--server-ca-cert=/ca', '--cipher-suites=TLS_RSA_WITH_RC4_128_SHA'], '--cipher-suites'],
    [['--enable-lease-controller'], '--enable-lease-controller'],
    [['--agent-namespace=kube-system', '--server-ca-cert=/ca'], '--authentication-audience'],
    [[], '--server-ca-cert'],
  ])('When given %o, it should refuse and name %s', (args, flag) => {
    expect(() => parseProxyServerFlags(args)).toThrow(flag);
  });
});

describe('flags of the agent', () => {
  it('When started as in a guest cluster, it should read every flag', () => {
    const { options, server, tls } = parseProxyAgentFlags([
      '--ca-cert=/ca.crt',
      '--agent-cert=/tls.crt',
      '--agent-key=/tls.key',
      '--proxy-server-host=konnectivity.example.com',
      '--proxy-server-port=443',
      '--health-server-port=2041',
      '--agent-identifiers=default-route=true',
      '--keepalive-time=30s',
      '--probe-interval=5s',
      '--sync-interval=5s',
      '--sync-interval-cap=30s',
      '--v=3',
    ]);
    expect(options).toMatchObject({ syncIntervalMs: 5_000, syncIntervalCapMs: 30_000, keepaliveMs: 30_000 });
    expect(options.identifiers).toBe('default-route=true');
    expect(server).toEqual({ host: 'konnectivity.example.com', port: 443 });
    expect(tls).toEqual({ ca: '/ca.crt', cert: '/tls.crt', key: '/tls.key' });
  });

  it('When the interval is longer than its cap, it should refuse', () => {
    expect(() => parseProxyAgentFlags(['--sync-interval=1m'])).toThrow('--sync-interval-cap');
  });
});
