/** The Grafana dashboard of the chart. docs/metrics.md explains each metric. */

type Unit = 'short' | 's' | 'percentunit' | 'ops' | 'reqps'

interface Panel {
  title: string
  /** PromQL. `SERIES` stands for the labels of the installation. */
  query: string
  unit: Unit
  /** What an operator does about it. Grafana shows it at the title. */
  hint: string
}

const RATE = '[$__rate_interval]'
const HTTP = 'http_server_request_duration_seconds'

/** The 99th percentile of all observations, or of those of each value of a label. */
const p99 = (histogram: string, label?: string, matcher = '') =>
  `histogram_quantile(0.99, sum by (${label ? `${label}, ` : ''}le) (rate(${histogram}_bucket{SERIES${matcher}}${RATE})))`

const rate = (counter: string, label: string) => `sum by (${label}) (rate(${counter}{SERIES}${RATE}))`

const ROWS: Record<string, Panel[]> = {
  Availability: [
    {
      title: 'API requests by status',
      query: rate(`${HTTP}_count`, 'status'),
      unit: 'reqps',
      hint: "Errors of 5xx are the installation's: runbook ApiErrorBudget. Errors of 4xx are those of clients; the page Requests of an organization has each.",
    },
    {
      title: 'API requests without 5xx (objective: 99.9 %)',
      query: `1 - (sum(rate(${HTTP}_count{SERIES,status=~"5.."}${RATE})) or vector(0)) / sum(rate(${HTTP}_count{SERIES}${RATE}))`,
      unit: 'percentunit',
      hint: 'Below the objective: runbook ApiErrorBudget.',
    },
    {
      title: 'Processes',
      query: 'count by (service, version) (platen_build_info{SERIES})',
      unit: 'short',
      hint: 'Fewer than replicas, or two versions after an upgrade: see the pods that are not ready, runbook WorkloadNotReady.',
    },
    {
      title: 'Connected agents',
      query: 'sum(platen_agents_connected{SERIES})',
      unit: 'short',
      hint: 'A drop of all at once is the route or the certificate: runbook AgentsDropped. One computer: platen-agent doctor on it.',
    },
    {
      title: 'Statements without a database',
      query: rate('platen_db_unavailable_total', 'service'),
      unit: 'ops',
      hint: 'Above zero: PostgreSQL is not reachable or fails over, runbook DatabaseUnavailable. Accepted jobs are not lost.',
    },
  ],
  'Waiting jobs': [
    {
      title: 'Jobs by state',
      query: 'max by (state) (platen_jobs_in_state{SERIES})',
      unit: 'short',
      hint: 'Many queued jobs are those of computers that are offline, unless the connected computer that waits longest waits for minutes: runbook JobsWaiting.',
    },
    {
      title: 'Created jobs',
      query: rate('platen_jobs_created_total', 'mode'),
      unit: 'ops',
      hint: 'A sudden end: see the panel of API requests by status.',
    },
    {
      title: 'Ended jobs',
      query: rate('platen_jobs_ended_total', 'state'),
      unit: 'ops',
      hint: 'More in error than usual: the statistics in the dashboard name printers and reasons.',
    },
    {
      title: 'Connected computer that waits longest',
      query: 'max(platen_dispatch_oldest_seconds{SERIES})',
      unit: 's',
      hint: 'Above a minute: runbook JobsWaiting.',
    },
    {
      title: 'Delay of event logs',
      query: 'max by (service, log) (platen_event_log_oldest_seconds{SERIES})',
      unit: 's',
      hint: 'Growing: NATS or a follower stands still, runbook EventsStuck.',
    },
    {
      title: 'Webhook attempts that succeed',
      query: `sum(rate(platen_webhook_attempts_total{SERIES,outcome="succeeded"}${RATE})) / sum(rate(platen_webhook_attempts_total{SERIES}${RATE}))`,
      unit: 'percentunit',
      hint: 'Low: endpoints of organizations fail, and their owners get a mail. All at once: the way out of the cluster, runbook WebhooksLate.',
    },
    {
      title: 'Oldest due webhook',
      query: 'max(platen_webhook_oldest_due_seconds{SERIES})',
      unit: 's',
      hint: 'Above two minutes: runbook WebhooksLate. Endpoints that fail do not count.',
    },
  ],
  Latency: [
    // Reads of the feed wait for events.
    {
      title: 'API requests, 99th percentile',
      query: p99(HTTP, undefined, ',route!="/v1/events"'),
      unit: 's',
      hint: 'High together with the delay of event loops: more replicas. High alone: PostgreSQL or the document store.',
    },
    {
      title: 'Dispatch, 99th percentile',
      query: p99('platen_dispatch_seconds'),
      unit: 's',
      hint: 'High for all: devices or PostgreSQL is slow, runbook JobsWaiting.',
    },
    // Prometheus 3 writes the bound as 1.0.
    {
      title: 'Time to paper, median',
      query: `histogram_quantile(0.5, sum by (le) (rate(platen_job_done_seconds_bucket{SERIES}${RATE})))`,
      unit: 's',
      hint: 'From the acceptance of a job to done. High while dispatch is fast: printers or computers are slow or stopped; the statistics in the dashboard name them.',
    },
    {
      title: 'Dispatch within 1 s (objective: 99 %)',
      query: `sum(rate(platen_dispatch_seconds_bucket{SERIES,le=~"1|1[.]0"}${RATE})) / sum(rate(platen_dispatch_seconds_count{SERIES}${RATE}))`,
      unit: 'percentunit',
      hint: 'Below the objective: runbook JobsWaiting.',
    },
    {
      title: 'Document store, 99th percentile',
      query: p99('platen_file_store_seconds', 'op'),
      unit: 's',
      hint: 'High: the store or the network to it, runbook FileStoreFailing.',
    },
    {
      title: 'Delay of event loops, 99th percentile',
      query: 'max by (pod) (nodejs_eventloop_delay_p99_seconds{SERIES})',
      unit: 's',
      hint: 'Above 0.5 s: the pod has too little CPU, runbook EventLoopBlocked.',
    },
  ],
}

/** The grid of Grafana has 24 columns. */
const COLUMNS = 24
const WIDTH = 8
const HEIGHT = 7

const DATASOURCE = { type: 'prometheus', uid: '$datasource' }

/** @returns the model of a dashboard, as Grafana imports it. */
export function createDashboard(): object {
  const panels: { id: number; [field: string]: unknown }[] = []
  let y = 0
  for (const [title, row] of Object.entries(ROWS)) {
    panels.push({ id: panels.length + 1, type: 'row', title, collapsed: false, gridPos: { x: 0, y, w: COLUMNS, h: 1 } })
    for (const [index, panel] of row.entries()) {
      const x = (index * WIDTH) % COLUMNS
      const line = Math.floor((index * WIDTH) / COLUMNS)
      panels.push({
        id: panels.length + 1,
        type: 'timeseries',
        title: panel.title,
        description: panel.hint,
        datasource: DATASOURCE,
        gridPos: { x, y: y + 1 + line * HEIGHT, w: WIDTH, h: HEIGHT },
        fieldConfig: { defaults: { unit: panel.unit, custom: { fillOpacity: 10 } }, overrides: [] },
        targets: [{ refId: 'A', datasource: DATASOURCE, expr: panel.query.replaceAll('SERIES', 'job="$job"') }],
      })
    }
    y += 1 + Math.ceil((row.length * WIDTH) / COLUMNS) * HEIGHT
  }
  return {
    title: 'Platen',
    uid: 'platen',
    schemaVersion: 39,
    editable: false,
    time: { from: 'now-6h', to: 'now' },
    refresh: '1m',
    templating: {
      list: [
        { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' },
        {
          name: 'job',
          type: 'query',
          label: 'Installation',
          datasource: DATASOURCE,
          query: { query: 'label_values(platen_build_info, job)', refId: 'job' },
          refresh: 2,
        },
      ],
    },
    panels,
  }
}
