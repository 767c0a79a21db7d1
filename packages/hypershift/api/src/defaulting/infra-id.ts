import { type Random, randomNameSuffix } from '@hypershift-ts/kube-apimachinery';

/** Names in clouds are short: 21 characters of the cluster, a dash and 5 random ones. */
const nameLength = 21;

/** A name for everything of a cluster in its cloud. */
export function generateInfraID(clusterName: string, random: Random): string {
  const base = clusterName
    .replaceAll(/[^A-Za-z0-9-]/g, '-')
    .replaceAll(/-+/g, '-')
    .slice(0, nameLength)
    .replace(/-+$/, '');
  return `${base}-${randomNameSuffix(5, random)}`;
}
