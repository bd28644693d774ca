export type PanelLink = { readonly label: string; readonly url: string };

/** What the program around the page adds to it. */
export type PanelOptions = {
  /** Gives play SOL; the page shows a box for it. */
  readonly faucet?: (address: string, sol: number) => Promise<{ readonly signature: string }>;
  /** Shown in the header: the chain's RPC, the API's documentation and the like. */
  readonly links?: readonly PanelLink[];
  /** What is known of a transaction, for `/tx/<signature>`; undefined when there is no such one. */
  readonly lookup?: (signature: string) => Promise<unknown>;
};
