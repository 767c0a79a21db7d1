import { describe, expect, it } from 'vitest';
import { aContainer, anObject, created, faults, updateFaults } from '../../testing/objects.ts';
import { imageTag } from '../pod-spec/image.ts';
import { podGracePeriod } from './grace-period.ts';
import { pod } from './index.ts';

const aSpec = (fields: object = {}) => ({ spec: { containers: [aContainer()], ...fields } });

describe('pod defaults', () => {
  it('When a pod names only a container, it should fill in everything the real server fills in', () => {
    expect(created(pod, aSpec())).toMatchObject({
      spec: {
        containers: [
          {
            name: 'web',
            image: 'registry.example.com/web:1.2',
            imagePullPolicy: 'IfNotPresent',
            resources: {},
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
          },
        ],
        dnsPolicy: 'ClusterFirst',
        enableServiceLinks: true,
        restartPolicy: 'Always',
        schedulerName: 'default-scheduler',
        securityContext: {},
        terminationGracePeriodSeconds: 30,
      },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    });
  });

  it('When probes, ports, env and volumes are short, it should complete them', () => {
    const spec = created(
      pod,
      aSpec({
        hostNetwork: true,
        serviceAccountName: 'robot',
        volumes: [
          { name: 'scratch' },
          { name: 's', secret: { secretName: 'x' } },
          { name: 't', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } },
          { name: 'h', hostPath: { path: '/tmp' } },
        ],
        containers: [
          aContainer({
            image: 'web',
            ports: [{ containerPort: 80 }],
            env: [{ name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
            livenessProbe: { httpGet: { port: 80 } },
            readinessProbe: { grpc: { port: 9 } },
            lifecycle: { preStop: { httpGet: { port: 80 } } },
          }),
        ],
      }),
    )['spec'];
    expect(spec).toMatchObject({
      serviceAccount: 'robot',
      volumes: [
        { emptyDir: {} },
        { secret: { defaultMode: 420 } },
        { projected: { defaultMode: 420, sources: [{ serviceAccountToken: { expirationSeconds: 3600 } }] } },
        { hostPath: { type: '' } },
      ],
      containers: [
        {
          imagePullPolicy: 'Always',
          ports: [{ containerPort: 80, hostPort: 80, protocol: 'TCP' }],
          env: [{ valueFrom: { fieldRef: { apiVersion: 'v1' } } }],
          livenessProbe: {
            httpGet: { path: '/', scheme: 'HTTP', port: 80 },
            timeoutSeconds: 1,
            periodSeconds: 10,
            successThreshold: 1,
            failureThreshold: 3,
          },
          readinessProbe: { grpc: { service: '' } },
          lifecycle: { preStop: { httpGet: { path: '/', scheme: 'HTTP' } } },
        },
      ],
    });
  });

  it.each([
    ['limits only', { limits: { cpu: 1, memory: '1024Mi' } }, { cpu: '1', memory: '1Gi' }, 'Guaranteed'],
    ['a request below the limit', { limits: { cpu: '1' }, requests: { cpu: 0.5 } }, { cpu: '500m' }, 'Burstable'],
    ['a request alone', { requests: { memory: '64Mi' } }, { memory: '64Mi' }, 'Burstable'],
  ])('When a container has %s, it should set requests and the QoS class', (_case, resources, requests, qos) => {
    const object = created(pod, aSpec({ containers: [aContainer({ resources })] }));
    expect(object['spec']).toMatchObject({ containers: [{ resources: { requests } }] });
    expect(object['status']).toMatchObject({ qosClass: qos });
  });

  it.each([
    ['nginx', 'latest'],
    ['nginx:latest', 'latest'],
    ['nginx:1.25', '1.25'],
    ['host:5000/nginx', 'latest'],
    ['host:5000/nginx:2', '2'],
    ['nginx@sha256:abcd', ''],
    ['nginx:latest@sha256:abcd', 'latest'],
    ['', ''],
  ])('When the image is %s, it should read the tag as "%s"', (image, tag) => {
    expect(imageTag(image)).toBe(tag);
  });
});

describe('pod validation', () => {
  it('When a pod is sound, it should find nothing', () => {
    expect(faults(pod, aSpec())).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ['there are no containers', { containers: [] }, ['spec.containers: Required value']],
    [
      'a container has no name and image',
      { containers: [{}] },
      ['spec.containers[0].name: Required value', 'spec.containers[0].image: Required value'],
    ],
    [
      'two containers share a name',
      { containers: [aContainer(), aContainer()] },
      ['spec.containers[1].name: Duplicate value: "web"'],
    ],
    [
      'a mount refers to no volume',
      { containers: [aContainer({ volumeMounts: [{ name: 'data', mountPath: '/data' }] })] },
      ['spec.containers[0].volumeMounts[0].name: Not found: "data"'],
    ],
    [
      'a request exceeds its limit',
      { containers: [aContainer({ resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } })] },
      ['spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'],
    ],
    [
      'the restart policy is unknown',
      { restartPolicy: 'Sometimes' },
      ['spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"'],
    ],
    [
      'a port is out of range',
      { containers: [aContainer({ ports: [{ containerPort: 70000 }] })] },
      ['spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive'],
    ],
    [
      'a volume has two sources',
      { volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/x' } }] },
      ['spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      'a probe has no handler',
      { containers: [aContainer({ livenessProbe: {} })] },
      ['spec.containers[0].livenessProbe: Required value: must specify a handler type'],
    ],
    [
      'an init container has a probe',
      { initContainers: [aContainer({ name: 'i', livenessProbe: { tcpSocket: { port: 1 } } })] },
      [
        'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
      ],
    ],
    [
      'a toleration for everything has no Exists',
      { tolerations: [{ effect: 'NoSchedule' }] },
      [
        'spec.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ],
    ],
    [
      'a resource is unknown',
      { containers: [aContainer({ resources: { limits: { cores: '1' } } })] },
      [
        'spec.containers[0].resources.limits[cores]: Invalid value: "cores": must be a standard resource type or fully qualified',
        'spec.containers[0].resources.limits[cores]: Invalid value: "cores": must be a standard resource for containers',
        'spec.containers[0].resources.requests[cores]: Invalid value: "cores": must be a standard resource type or fully qualified',
        'spec.containers[0].resources.requests[cores]: Invalid value: "cores": must be a standard resource for containers',
      ],
    ],
  ])('When %s, it should say so', (_case, fields, expected) => {
    expect(faults(pod, aSpec(fields))).toEqual(expected);
  });

  it('When an image changes, it should allow it', () => {
    expect(updateFaults(pod, aSpec(), aSpec({ containers: [aContainer({ image: 'web:2' })] }))).toEqual([]);
  });

  it('When a toleration is added, it should allow it; when one is removed, it should not', () => {
    const tolerant = aSpec({ tolerations: [{ key: 'a', operator: 'Exists' }] });
    expect(updateFaults(pod, aSpec(), tolerant)).toEqual([]);
    expect(updateFaults(pod, tolerant, aSpec())[0]).toContain('existing toleration can not be modified');
  });

  it('When anything else changes, it should name what may change and what did', () => {
    const [message] = updateFaults(pod, aSpec(), aSpec({ hostPID: true }));
    expect(message).toContain(
      'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`',
    );
    expect(message).toContain('spec.hostPID');
  });

  it('When a container is added, it should refuse', () => {
    expect(updateFaults(pod, aSpec(), aSpec({ containers: [aContainer(), aContainer({ name: 'b' })] }))).toEqual([
      'spec.containers: Forbidden: pod updates may not add or remove containers',
    ]);
  });
});

describe('pod grace period', () => {
  it.each([
    ['it was never scheduled', {}, {}, undefined, 0],
    ['it runs', { nodeName: 'n', terminationGracePeriodSeconds: 30 }, {}, undefined, 30],
    ['the caller asks for less', { nodeName: 'n', terminationGracePeriodSeconds: 30 }, {}, 5, 5],
    ['it has finished', { nodeName: 'n', terminationGracePeriodSeconds: 30 }, { phase: 'Succeeded' }, undefined, 0],
    ['the caller asks for a negative time', { nodeName: 'n' }, {}, -3, 1],
  ])('When %s, it should wait as long as upstream does', (_case, spec, status, requested, seconds) => {
    expect(podGracePeriod(anObject({ spec, status }), requested)).toBe(seconds);
  });
});

describe('pod warnings', () => {
  it('When an environment variable is defined twice, it should warn', () => {
    const object = created(
      pod,
      aSpec({
        containers: [
          aContainer({
            env: [
              { name: 'A', value: '1' },
              { name: 'A', value: '2' },
            ],
          }),
        ],
      }),
    );
    expect(pod.warnings?.(object)).toEqual([
      'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
    ]);
  });
});
