import { type ClientTls, type Driver, driver, type Volley } from './kube/drive.ts';

/** The process of one client of a benchmark: told by its parent where to connect and what to fire. */
let drive: Driver | undefined;
process.on('message', (message: { connect: { server: string; tls: ClientTls } } | { volley: Volley }) => {
  if ('connect' in message) {
    drive = driver(message.connect.server, message.connect.tls);
    return;
  }
  drive?.run(message.volley).then(
    (rate) => process.send?.({ rate }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit(0));
