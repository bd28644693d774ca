import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { envFileNames } from '../src/config/env-file-names.ts';
import { ENVIRONMENT } from '../src/config/environment.ts';
import { loadConfig } from '../src/config/index.ts';
import { OTHERS_NAMES } from '../src/config/known-names.ts';

const KNOWN = Object.keys(ENVIRONMENT.shape);

/** The sentences with which a start is refused; none when it is not. */
function problems(environment: Record<string, string>, inFile: readonly string[] = []): readonly string[] {
  try {
    loadConfig(environment, new Set(inFile));
    return [];
  } catch (error) {
    return (error as { readonly details: { readonly problems: readonly string[] } }).details.problems;
  }
}

describe('a name that is nearly ours', () => {
  it.each([
    ['ORDER_CAP_LAMPORTS', 'ORDERS_CAP_LAMPORTS'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['KEKFILE', 'KEK_FILE'],
    ['KEY', 'KEK'],
    ['API_PROT', 'API_PORT'],
    ['SOLANA_RPC', 'SOLANA_RPC_URL'],
    ['TELEGRAM_TOKEN', 'TELEGRAM_BOT_TOKEN'],
    ['ROLE', 'ROLES'],
  ])('%s stops the start and names %s', (name, near) => {
    expect(problems({ [name]: 'x' })).toEqual([`${name}: unknown. Did you mean ${near}?`]);
    expect(problems({ [name]: 'x', TRADEPOST_ALLOW_ENV: `OTHER, ${name}` })).toEqual([]);
  });

  it('is found for every one of ours: a letter too few, too many, and another', () => {
    for (const name of KNOWN.filter((one) => one.length > 5)) {
      for (const typo of [name.slice(0, -1), `${name}X`, `X${name.slice(1)}`].filter(
        (one) => !KNOWN.includes(one),
      ))
        expect(problems({ [typo]: 'x' }), typo).toEqual([
          expect.stringMatching(new RegExp(`^${typo}: unknown\\. Did you mean `)),
        ]);
    }
  });

  it('is none of what other programs set: shells, Node, npm, AWS, Vault, CI', () => {
    const others = `PATH HOME USER SHELL TERM LANG PWD MAIL LOGNAME HOSTNAME EDITOR TZ SHLVL _ npm_config_cache INIT_CWD NODE_OPTIONS NODE_VERSION
      NODE_PATH AWS_REGION AWS_ACCESS_KEY_ID AWS_SESSION_TOKEN VAULT_NAMESPACE POSTGRES_USER POSTGRES_DB CI GITHUB_ACTIONS RUNNER_OS SUDO_USER
      XDG_RUNTIME_DIR SSH_AUTH_SOCK NOTIFY_SOCKET INVOCATION_ID JOURNAL_STREAM KUBERNETES_SERVICE_HOST KUBERNETES_PORT KUBERNETES_PORT_443_TCP_ADDR
      FORCE_COLOR NO_COLOR VITEST VITEST_POOL_ID LC_ALL TMPDIR HTTP_PROXY HTTPS_PROXY`;
    expect(problems(Object.fromEntries(others.split(/\s+/).map((name) => [name, 'x'])))).toEqual([]);
  });
});

describe('an env file', () => {
  it('holds no name that nobody reads', () => {
    expect(problems({ SOMETHING_ELSE: 'x', PATH: '/bin' }, ['SOMETHING_ELSE'])).toEqual([
      expect.stringMatching(/^SOMETHING_ELSE: unknown\. Did you mean /),
    ]);
    expect(
      problems({ SOMETHING_ELSE: 'x', TRADEPOST_ALLOW_ENV: 'SOMETHING_ELSE' }, ['SOMETHING_ELSE']),
    ).toEqual([]);
    // Compose hands its own file on to every service.
    expect(problems({ API_DOMAIN: 'x', BACKUP_RECIPIENT: 'age1x' }, ['BACKUP_RECIPIENT'])).toEqual([]);
  });

  it('may hold what the compose files and deploy/roles.sh read from it, and that is all', () => {
    const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
    const asked = [
      ...[
        'docker-compose.yml',
        ...['host-a', 'host-b', 'host-c', 'witness'].map((name) => `deploy/compose/${name}.yml`),
      ].flatMap((path) => [...read(path).matchAll(/\$\{([A-Z_]+)/g)]),
      ...read('deploy/roles.sh').matchAll(/\$\{([A-Z_]+):-/g),
    ];
    const foreign = asked.map(([, name = '']) => name).filter((name) => !KNOWN.includes(name));
    expect(new Set(foreign)).toEqual(new Set(OTHERS_NAMES));
  });

  it('is that of Node’s own option, in each way to write it', () => {
    const path = new URL('../.env.example', import.meta.url).pathname;
    for (const execArgv of [[`--env-file=${path}`], ['--env-file', path], [`--env-file-if-exists=${path}`]])
      expect(envFileNames(execArgv)).toEqual(new Set(KNOWN));
    expect(envFileNames(['--env-file=/nowhere', '--import', 'x'])).toEqual(new Set());
  });
});

describe('what Kubernetes sets for a Service called "api"', () => {
  it('is told with the mend, in one sentence', () => {
    const links = {
      API_PORT: 'tcp://10.0.0.1:4403',
      API_SERVICE_HOST: '10.0.0.1',
      API_SERVICE_PORT: '4403',
      API_PORT_4403_TCP: 'tcp://10.0.0.1:4403',
      API_PORT_4403_TCP_ADDR: '10.0.0.1',
    };
    expect(problems(links)).toEqual([
      'API_PORT: Kubernetes set this and 4 more for a Service. Put "enableServiceLinks: false" into the pod.',
    ]);
    expect(problems({ API_PORT: '4403' })).toEqual([]);
  });
});
