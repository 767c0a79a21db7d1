import type { EtcdCluster } from './clusters.ts';

/**
 * Decides how a member joins. A member that lost its data while the others live must leave and come back as a new one,
 * because etcd refuses an empty member under a known identity; in every other case the first start is `new`.
 */
export const memberReset = ({ client, discovery }: EtcdCluster): string => `set -eu
state=/etc/etcd/clusterstate/state
printf new > "$state"
test ! -e /var/lib/data/member/snap/db || exit 0
export ETCDCTL_API=3 ETCDCTL_ENDPOINTS=https://${client}:2379
export ETCDCTL_CACERT=/etc/etcd/tls/etcd-ca/ca.crt
export ETCDCTL_CERT=/etc/etcd/tls/server/server.crt ETCDCTL_KEY=/etc/etcd/tls/server/server.key
members=$(etcdctl member list -w simple) || exit 0
id=$(printf '%s\\n' "$members" | awk -F', ' -v name="$HOSTNAME" '$3 == name { print $1 }')
test -n "$id" || exit 0
etcdctl member remove "$id"
etcdctl member add "$HOSTNAME" --peer-urls="https://$HOSTNAME.${discovery}.$NAMESPACE.svc:2380"
printf existing > "$state"
`;
