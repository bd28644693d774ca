/** A planned failure. Without `code` the call itself works, but may be delayed or its response dropped. */
export type Fault = {
  /** The method it hits, in any case; `*` is every one but getUpdates, which would swallow it unseen. */
  readonly method: string;
  readonly times: number;
  /** Hits only calls about this chat. */
  readonly chatId?: number;
  readonly code?: number;
  readonly description?: string;
  readonly retryAfterSeconds?: number;
  readonly delayMs?: number;
  /** The call is carried out, then the connection is cut: the client cannot know whether it was. */
  readonly dropResponse?: boolean;
};

export interface FaultPlan {
  readonly add: (fault: Fault) => void;
  /** The next fault for this call, counted down; undefined when there is none. */
  readonly take: (method: string, chatId: number | undefined) => Fault | undefined;
  readonly list: () => readonly Fault[];
  readonly clear: () => void;
}

export function createFaultPlan(): FaultPlan {
  let plan: { readonly fault: Fault; left: number }[] = [];
  return {
    add: (fault) => {
      plan.push({ fault, left: fault.times });
    },
    take: (method, chatId) => {
      if (plan.length === 0) return undefined;
      const hit = plan.find(
        ({ fault }) =>
          (fault.method === '*'
            ? method !== 'getUpdates'
            : fault.method.toLowerCase() === method.toLowerCase()) &&
          (fault.chatId === undefined || fault.chatId === chatId),
      );
      if (hit === undefined) return undefined;
      hit.left -= 1;
      plan = plan.filter((item) => item.left > 0);
      return hit.fault;
    },
    list: () => plan.map((item) => ({ ...item.fault, times: item.left })),
    clear: () => {
      plan = [];
    },
  };
}
