import { describe, expect, it } from 'vitest';
import { azureShape, ec2Shape, gceShape, ibmVpcShape, novaShape, type ShapeOf } from './instance-shape.ts';

const known: readonly (readonly [ShapeOf, string, number, number, string])[] = [
  [ec2Shape, 'm6i.xlarge', 4, 16, 'amd64'],
  [ec2Shape, 'm5.large', 2, 8, 'amd64'],
  [ec2Shape, 'c7g.2xlarge', 8, 16, 'arm64'],
  [ec2Shape, 'r6i.4xlarge', 16, 128, 'amd64'],
  [ec2Shape, 't3.medium', 2, 4, 'amd64'],
  [azureShape, 'Standard_D4s_v5', 4, 16, 'amd64'],
  [azureShape, 'Standard_E8ds_v5', 8, 64, 'amd64'],
  [azureShape, 'Standard_D2ps_v5', 2, 8, 'arm64'],
  [gceShape, 'n2-standard-4', 4, 16, 'amd64'],
  [gceShape, 'c4a-highmem-8', 8, 64, 'arm64'],
  [gceShape, 'n2-custom-4-8192', 4, 8, 'amd64'],
  [novaShape, 'm1.xlarge', 8, 16, 'amd64'],
  [ibmVpcShape, 'bx2-4x16', 4, 16, 'amd64'],
];

describe('instance types', () => {
  it.each(known)(
    'When a cloud is asked for %o %s, it should know its size',
    (shapeOf, name, cpu, gib, architecture) => {
      expect(shapeOf(name)).toEqual({ cpu, memoryMiB: gib * 1024, architecture });
    },
  );

  it.each([
    [ec2Shape, 'm6i.gigantic'],
    [ec2Shape, 'q9.xlarge'],
    [ec2Shape, 'm6i'],
    [azureShape, 'Standard_Q4'],
    [azureShape, 'm6i.xlarge'],
    [gceShape, 'n2-standard-four'],
    [gceShape, 'x9-standard-4'],
    [novaShape, 'gigantic'],
    [ibmVpcShape, 'bx2-medium'],
  ])('When a cloud has no such type (%o %s), it should say so', (shapeOf, name) => {
    expect(shapeOf(name)).toBeUndefined();
  });
});
