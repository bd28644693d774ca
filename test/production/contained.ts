import { execFileSync } from 'node:child_process';

/** What of a container's walls stands around the processes of this test. */
export type Walls = {
  /** For the test's own output: which walls stand here, and which only Docker has. */
  readonly text: string;
  /** The image's user, or nobody special: whoever runs the test. */
  readonly user: { readonly uid: number; readonly gid: number } | null;
  /** The command behind the walls; it may write into the folders `writable` and nowhere else. */
  readonly around: (command: readonly string[], writable: readonly string[]) => readonly string[];
};

const UNSHARE = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c'];
const IMAGE_USER = { uid: 1000, gid: 1000 };
/** `cap_drop: ALL`, `no-new-privileges` and `ulimits: core: 0` of docker-compose.yml; each hands on to the next, so the pid stays. */
const DROP =
  'exec prlimit --core=0 setpriv --reuid=1000 --regid=1000 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"';
/** `read_only: true`: in a mount namespace of its own, where only the named folders are mounted writable. */
const READ_ONLY = `set -e
count=$1; shift
while [ "$count" -gt 0 ]; do mount --bind "$1" "$1"; shift; count=$((count - 1)); done
mount -o remount,ro,bind /
${DROP}`;

/** As much of a container as this machine allows: a container's own root may not mount, somebody who is not root may do neither. */
export function raiseWalls(): Walls {
  if (process.getuid?.() !== 0) {
    return {
      text: "own user, writable root: this test is not root's",
      user: null,
      around: (command) => command,
    };
  }
  const readOnly = (command: readonly string[], writable: readonly string[]): readonly string[] => [
    ...UNSHARE,
    READ_ONLY,
    'sh',
    String(writable.length),
    ...writable,
    ...command,
  ];
  if (works(readOnly(['true'], [])))
    return { text: 'uid 1000, no capability, read-only root', user: IMAGE_USER, around: readOnly };
  const dropped = (command: readonly string[]): readonly string[] => ['sh', '-c', DROP, 'sh', ...command];
  if (works(dropped(['true']))) {
    const text =
      'uid 1000, no capability; no mount namespace here, so /tmp and other open folders stay writable';
    return { text, user: IMAGE_USER, around: dropped };
  }
  throw new Error('neither unshare nor setpriv works here (Debian: apt install util-linux)');
}

function works(command: readonly string[]): boolean {
  const [file = '', ...args] = command;
  try {
    execFileSync(file, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
