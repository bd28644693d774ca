export type PanelLink = { readonly label: string; readonly url: string };

/** The additions of the program around the page. */
export type PanelOptions = {
  /** Gives play SOL; the page shows a box for it. */
  readonly faucet?: (address: string, sol: number) => Promise<{ readonly signature: string }>;
  /** Shown in the header: the chain's RPC, the API's documentation and the like. */
  readonly links?: readonly PanelLink[];
  /** The facts of a transaction, for `/tx/<signature>`; undefined when there is no such one. */
  readonly lookup?: (signature: string) => Promise<unknown>;
};
