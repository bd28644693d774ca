/** A mail as it arrived. */
export type ReceivedMail = {
  readonly id: number;
  readonly at: number;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** The http addresses in its text. */
  readonly links: readonly string[];
};

/** The mails that the stand-in received, newest first, and the addresses that it refuses. Kept until the program ends. */
export type Mailbox = {
  readonly add: (mail: Omit<ReceivedMail, 'id' | 'links'>) => void;
  readonly list: () => readonly ReceivedMail[];
  readonly find: (id: number) => ReceivedMail | undefined;
  readonly bounces: (address: string) => boolean;
  readonly setBounce: (address: string, on: boolean) => void;
  readonly bounced: () => readonly string[];
};

const KEPT = 300;

export function createMailbox(): Mailbox {
  let mails: readonly ReceivedMail[] = [];
  let nextId = 1;
  const refused = new Set<string>();
  return {
    add: (mail) => {
      mails = [{ ...mail, id: nextId, links: linksIn(mail.text) }, ...mails].slice(0, KEPT);
      nextId += 1;
    },
    list: () => mails,
    find: (id) => mails.find((mail) => mail.id === id),
    bounces: (address) => refused.has(address.toLowerCase()),
    setBounce: (address, on) => {
      if (on) refused.add(address.toLowerCase());
      else refused.delete(address.toLowerCase());
    },
    bounced: () => [...refused].sort(),
  };
}

const LINK = /https?:\/\/[^\s<>"']+/g;

function linksIn(text: string): readonly string[] {
  return text.match(LINK) ?? [];
}

/** The text in pieces, links separated from the text between them. */
export function piecesOf(text: string): readonly { readonly text: string; readonly isLink: boolean }[] {
  const pieces: { text: string; isLink: boolean }[] = [];
  let end = 0;
  for (const match of text.matchAll(LINK)) {
    pieces.push({ text: text.slice(end, match.index), isLink: false }, { text: match[0], isLink: true });
    end = match.index + match[0].length;
  }
  pieces.push({ text: text.slice(end), isLink: false });
  return pieces.filter((piece) => piece.text !== '');
}
