import net from 'node:net';

/** A TCP relay in front of a server that can break every connection, and refuse new ones for a while. */
export class TcpCutter {
  private readonly sockets = new Set<net.Socket>();
  private readonly server: net.Server;
  private readonly target: () => number;
  refusing = false;

  constructor(target: () => number) {
    this.target = target;
    this.server = net.createServer((inbound) => {
      if (this.refusing) return inbound.destroy();
      const outbound = net.connect(this.target(), '127.0.0.1');
      for (const [socket, other] of [
        [inbound, outbound],
        [outbound, inbound],
      ] as const) {
        this.sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          this.sockets.delete(socket);
          other.destroy();
        });
      }
      inbound.pipe(outbound);
      outbound.pipe(inbound);
      return inbound;
    });
  }

  /** Connections from clients that are open now. */
  get connections(): number {
    return this.sockets.size / 2;
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    return (this.server.address() as net.AddressInfo).port;
  }

  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.cut();
    await closed;
  }
}
