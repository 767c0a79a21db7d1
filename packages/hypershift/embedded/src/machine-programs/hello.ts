import { createServer } from 'node:http';
import type { BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import { stopped } from '@hypershift-ts/kube-programs';

const port = 8080;

/** A web server that says where it runs: the smallest workload worth looking at. */
export const hello: BuiltinProgram = async ({ pod, podIP, signal, stdout, clock }) => {
  const server = createServer((request, response) => {
    stdout.write(`${new Date(clock.now()).toISOString()} ${request.method} ${request.url}\n`);
    response.end(`Hello from ${pod.metadata.name} on ${pod.spec?.nodeName}\n`);
  });
  server.requestTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, podIP, resolve);
  });
  stdout.write(`serving at http://${podIP}:${port}\n`);
  await stopped(signal);
  server.close();
  server.closeAllConnections();
};
