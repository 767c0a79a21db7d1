import { describe, expect, it } from 'vitest';
import { parseAgentIdentifiers } from '../wire/identifiers.ts';
import type { PacketStream } from '../wire/packet-stream.ts';
import { type Backend, Backends } from './backends.ts';

function anAgent(agentID: string, identifiers = ''): Backend {
  // The choice never looks at the stream.
  const stream = undefined as unknown as PacketStream;
  return { agentID, identifiers: parseAgentIdentifiers(identifiers), stream, connections: new Map(), draining: false };
}

function hypershiftBackends() {
  const backends = new Backends(['destHost', 'defaultRoute'], () => 0);
  const node = anAgent('node', 'default-route=true');
  const controlPlane = anAgent('control-plane', 'ipv4=172.30.0.5&ipv4=172.30.0.6&host=packageserver&new-kind=1');
  backends.add(node);
  backends.add(controlPlane);
  return { backends, node, controlPlane };
}

describe('choosing an agent', () => {
  it.each([
    ['172.30.0.6', 'control-plane'],
    ['packageserver', 'control-plane'],
    ['10.0.0.9', 'node'],
  ])('When %s is dialed, it should go to the %s agent', (host, agent) => {
    expect(hypershiftBackends().backends.pick(host)?.agentID).toBe(agent);
  });

  it('When the agent for a host left, it should fall back to the default route', () => {
    const { backends, controlPlane } = hypershiftBackends();
    backends.remove(controlPlane);
    expect(backends.pick('172.30.0.5')?.agentID).toBe('node');
  });

  it('When every agent drains, it should still use one', () => {
    const { backends, node } = hypershiftBackends();
    node.draining = true;
    expect(backends.pick('10.0.0.9')).toBe(node);
  });

  it('When no strategy knows an agent, it should choose none and not be ready', () => {
    const backends = new Backends(['destHost', 'defaultRoute'], () => 0);
    backends.add(anAgent('plain'));
    expect(backends.pick('10.0.0.9')).toBeUndefined();
    expect(backends.ready).toBe(false);
  });
});
