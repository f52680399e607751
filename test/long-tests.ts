/**
 * The tests with budgets of their own. `npm run test:long -- NAME` runs one; `npm run test:release` runs all that a
 * release must pass.
 */

export interface LongTest {
  what: string
  /** Measured on two cores, with the packages installed. */
  minutes?: number
  /** The program and its arguments. A run of Vitest ends with `N passed, N failed`. */
  command: [program: 'node' | 'vitest', ...args: string[]]
  env?: NodeJS.Dict<string>
  /** Options of a release. A release does not run a test without. */
  release?: string[]
  /** It runs on Linux only. */
  linux?: true
}

const vitest = (config: string, ...args: string[]): LongTest['command'] => [
  'vitest',
  'run',
  '--config',
  config,
  ...args,
]

export const LONG_TESTS: Record<string, LongTest> = {
  dashboard: {
    what: 'the dashboard in Chromium, against one running installation. Needs the package chromium, or a browser in PLATEN_CHROMIUM',
    command: vitest('services/dashboard/tests/vitest.config.ts'),
    release: [],
  },
  chart: {
    what: 'the Helm chart: rendered by Helm 3 and Helm 4 with each file of helm/platen/ci, its refusals, types and alerts, agreement with the settings of the services. Needs promtool (Debian: prometheus) for the alerts',
    minutes: 1,
    command: vitest('test/chart/vitest.config.ts'),
    release: [],
  },
  containers: {
    what: 'tests that depend on the version of a server (*.server.test.ts), on PostgreSQL and NATS in containers, and the image of the agent. --postgres 17 and --nats 2.9 name other versions',
    minutes: 3,
    command: ['node', 'test/containers/run.ts'],
    release: [],
    linux: true,
  },
  packages: {
    what: 'the Debian package and the program of the agent',
    minutes: 1,
    command: vitest('agent/packages/vitest.config.ts', '--exclude', '**/image.test.ts'),
    release: [],
  },
  paper: {
    what: 'what raw printers say about their paper: 1,000 random printers, jobs and faults on simulated devices, and 300 more with a kill of the agent. PLATEN_PAPER_SEEDS and PLATEN_PAPER_KILLS say how many, PLATEN_PAPER_FIRST which',
    minutes: 7,
    command: vitest('test/devices/vitest.config.ts'),
    release: [],
  },
  clients: {
    what: 'the client libraries and the command line: their cases, as packages, and against an installation. Needs python3 with venv',
    minutes: 1,
    command: ['vitest', 'run', '--project', 'clients'],
    release: [],
  },
  faults: {
    what: 'npm start with servers that are killed or full, replicas of each service, and the launcher',
    minutes: 1,
    command: ['vitest', 'run', '--project', 'faults'],
    release: [],
  },
  install: {
    what: 'the agent installed in a fresh Debian with systemd as the dashboard shows it, and its test page on CUPS. --architecture arm64 emulates another processor. As root on Debian, with Chromium',
    command: ['node', '--no-warnings', 'agent/packages/tests/systemd/main.ts'],
    release: [],
    linux: true,
  },
  update: {
    what: 'the agent in a fresh Debian with systemd updates itself while 200 jobs are printed on CUPS there, each once; damaged, foreign and broken versions leave the one before running, and the API shows why. As root on Debian',
    minutes: 6,
    command: ['node', '--no-warnings', 'agent/packages/tests/update/main.ts'],
    release: [],
    linux: true,
  },
  rendered: {
    what: 'the rendered chart as containers, two replicas of each service, with PostgreSQL, NATS and S3: the self-test, a rolling restart and the kill of each container under load, and the queries of dashboard and alerts. --only restarts, kills or outage. Needs a Docker engine, or root on Debian',
    minutes: 6,
    command: ['node', '--no-warnings', 'test/rendered/main.ts'],
    release: [],
    linux: true,
  },
  upgrade: {
    what: 'two replicas of the previous release upgraded to this one under load, and back: no request fails, nothing is lost or doubled',
    minutes: 4,
    command: ['node', '--no-warnings', 'test/upgrade/main.ts'],
    release: [],
    linux: true,
  },
  restore: {
    what: 'PostgreSQL restored to an earlier moment, and a standby promoted that lacks the last transactions: nothing is printed twice, followers miss nothing that is created afterwards',
    command: ['node', 'test/recovery/restore.ts'],
    release: [],
  },
  rotate: {
    what: 'each key replaced on two replicas of each service under load: no call and no delivery fails. Needs port 80 of 127.0.0.9',
    command: ['node', 'test/recovery/rotate.ts'],
    release: [],
    linux: true,
  },
  nats: {
    what: '1,000 jobs on three nats-servers and a PostgreSQL with TLS, while each nats-server is killed. --raise raises the replicas from 1 to 3 instead, --jobs N sets another number',
    command: ['node', 'test/chaos/nats-cluster.ts'],
    release: [],
  },
  chaos: {
    what: 'load and random faults, each run judged by its history. --seeds N runs several, --seed N repeats one, --seconds N sets its length, --together runs each replica as one process, --separate as one for each service. --hostile-agents prints while three hostile agents of other organizations flood the service',
    command: ['node', 'test/chaos/main.ts'],
    release: ['--seeds', '10'],
    linux: true,
  },
  destinations: {
    what: 'random printers, jobs of destinations, edits, lost calls and disconnected agents in one process by an injected clock, 200 seeds, each judged by the checker of chaos. PLATEN_DESTINATION_SEEDS says how many, PLATEN_DESTINATION_FIRST the first one; npm test runs one',
    minutes: 10,
    command: ['vitest', 'run', '--project', 'edge', 'services/devices/tests/edge/destination-seeds.test.ts'],
    env: { PLATEN_DESTINATION_SEEDS: process.env.PLATEN_DESTINATION_SEEDS ?? '200' },
    release: [],
  },
  kills: {
    what: 'two computers, which share destinations, print on a real CUPS while kill -9 ends their agents 200 times and CUPS 50 times. --gateway 20 ends the gateway as well, --printnode creates the jobs as programs that speak to PrintNode, --ipp 50 as computers that speak IPP over lines that are cut, and ends the gateway, jobs, devices and the agents 50 times instead, --jobs N creates at least so many, --seed N repeats a run, --save-after 30 lets CUPS save its state as rarely as by default',
    command: ['node', 'test/chaos/kills.ts'],
    release: [],
  },
  statistics: {
    what: 'the ledger of usage and the statistics of 100,000 jobs equal a recount, while two replicas of usage are killed again and again; npm test creates 600',
    command: ['vitest', 'run', '--project', 'edge', 'services/usage/tests/edge/faults'],
    env: { PLATEN_STATISTICS_JOBS: '100000' },
    release: [],
  },
  fuzz: {
    what: '10,000 requests for each operation, made from its schemas; npm test sends 25. Prints its seed, which PLATEN_FUZZ_SEED repeats',
    command: ['vitest', 'run', '--project', 'smoke', 'test/smoke/fuzz'],
    env: { PLATEN_FUZZ_RUNS: '10000' },
    release: [],
  },
  contract: {
    what: 'what other programs make of the OpenAPI document: clients of seven generators compile and create a job, Schemathesis finds no error for 5 minutes. --only NAME, --seconds N. Needs npm, python3, java, mvn and go',
    minutes: 9,
    command: ['node', '--no-warnings', 'test/contract/main.ts'],
    release: [],
    linux: true,
  },
  certification: {
    what: 'the self-certification of IPP Everywhere 1.1 of the Printer Working Group, its IPP and document tests, against a printer of an installation. Fetches them from GitHub, or takes the folder in PLATEN_SELF_CERTIFICATION',
    minutes: 3,
    command: ['node', '--no-warnings', 'test/certification/main.ts'],
    release: [],
    linux: true,
  },
  recipes: {
    what: 'the programs of the recipes, also the one in Go, which npm test skips, and n8n and Home Assistant, which it installs: 3 GB for a while. Needs php, go, jq and python3.11',
    minutes: 19,
    command: ['vitest', 'run', '--project', 'api', 'test/api/guides.test.ts', 'test/api/automation', '-t', 'recipe'],
    env: { PLATEN_TEST_GO: '1', PLATEN_TEST_AUTOMATION: '1' },
    release: [],
  },
  lines: {
    what: 'an agent behind lines of 32 kbit/s, 600 ms and 5 % loss enrols, and prints each document once, in 1.5 times the time of plain TCP. As root on Linux, with python3',
    minutes: 10,
    command: ['node', '--no-warnings', 'test/lines/main.ts'],
    release: [],
    linux: true,
  },
  performance: {
    what: 'the CPU of a job is at most 10 % above the recorded ratio to graphile-worker, which works in turn on the same PostgreSQL. --record records the ratio of this commit. Needs an idle machine',
    minutes: 4,
    command: ['node', '--no-warnings', 'test/performance/main.ts'],
    linux: true,
  },
  power: {
    what: 'what the tests find: brings each past fault back, changes the pure modules (Stryker), and takes each condition of SQL away. --faults, --fault NAME, --mutation, --sql, --module services/jobs. Works on the last commit',
    command: ['node', '--no-warnings', 'test/power/main.ts'],
  },
}
