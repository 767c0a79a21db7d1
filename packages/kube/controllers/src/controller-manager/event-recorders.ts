import type { Clock, KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import type { EventRecorder, Logger } from '@hypershift-ts/kube-controller';
import { ClientEventRecorder } from '@hypershift-ts/kube-controller';

/** The recorders of one process, one for each component, each made when it first has something to say. */
export class EventRecorders {
  private readonly env: { readonly clock: Clock; readonly log: Logger };
  private readonly made = new Map<string, ClientEventRecorder>();

  constructor(env: EventRecorders['env']) {
    this.env = env;
  }

  for(component: string, client: () => Client): EventRecorder {
    const recorder = () => {
      let known = this.made.get(component);
      if (!known) {
        known = new ClientEventRecorder({ client: client(), component, ...this.env });
        this.made.set(component, known);
      }
      return known;
    };
    return {
      normal: (about: KubeObject, reason: string, message: string) => recorder().normal(about, reason, message),
      warning: (about: KubeObject, reason: string, message: string) => recorder().warning(about, reason, message),
      forget: (about: KubeObject) => this.made.get(component)?.forget(about),
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.made.values()].map((recorder) => recorder.close()));
  }
}
