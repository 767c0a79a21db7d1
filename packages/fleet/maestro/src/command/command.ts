import { type CommandContext, readFlags, runCommand } from '@hypershift-ts/fleet-serving';
import { agentFlags, runAgent } from './agent.ts';
import { runServer, serverFlags } from './server.ts';

const usage = `usage: hyperfleet maestro <command> [flags]

commands:
  server    keep works and carry them to the agents of their clusters
  agent     apply the works of one cluster and report how they are
  version   print the version

server: --server-hostname localhost  --http-server-bindport 8000  --grpc-server-bindport 8090  --grpc-broker-bindport 8091
        --database-directory DIR (embedded; in memory when absent), or --db-host-file --db-port-file --db-name-file
        --db-user-file --db-password-file (PostgreSQL)
        --grpc-tls-cert-file --grpc-tls-key-file --grpc-client-ca-file
        --grpc-broker-tls-cert-file --grpc-broker-tls-key-file --grpc-broker-client-ca-file
        --source-id maestro  --insecure (plain connections beyond this machine)
agent:  --consumer-name NAME  --server HOST:PORT  --kubeconfig FILE (in a pod: its service account)
        --cloudevents-client-id NAME-work-agent  --hub-address TEXT (the server)  --status-sync-interval 10s
        --ca-file --client-cert-file --client-key-file
`;

/** Runs one command of Maestro and gives its exit code. */
export function maestroCommand(args: readonly string[], context: CommandContext): Promise<number> {
  return runCommand({ name: 'maestro', usage }, args, context, {
    server: async (rest) => runServer(readFlags(rest, serverFlags), context),
    agent: async (rest) => runAgent(readFlags(rest, agentFlags), context),
  });
}
