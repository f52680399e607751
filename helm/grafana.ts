/** The Grafana dashboard of the chart. docs/metrics.md explains each metric. */

type Unit = 'short' | 's' | 'percentunit' | 'ops' | 'reqps'

interface Panel {
  title: string
  /** PromQL. `SERIES` stands for the labels of the installation. */
  query: string
  unit: Unit
}

const RATE = '[$__rate_interval]'
const HTTP = 'http_server_request_duration_seconds'

/** The 99th percentile of all observations, or of those of each value of a label. */
const p99 = (histogram: string, label?: string, matcher = '') =>
  `histogram_quantile(0.99, sum by (${label ? `${label}, ` : ''}le) (rate(${histogram}_bucket{SERIES${matcher}}${RATE})))`

const rate = (counter: string, label: string) => `sum by (${label}) (rate(${counter}{SERIES}${RATE}))`

const ROWS: Record<string, Panel[]> = {
  Availability: [
    { title: 'API requests by status', query: rate(`${HTTP}_count`, 'status'), unit: 'reqps' },
    {
      title: 'API requests without 5xx (objective: 99.9 %)',
      query: `1 - (sum(rate(${HTTP}_count{SERIES,status=~"5.."}${RATE})) or vector(0)) / sum(rate(${HTTP}_count{SERIES}${RATE}))`,
      unit: 'percentunit',
    },
    { title: 'Processes', query: 'count by (service, version) (platen_build_info{SERIES})', unit: 'short' },
    { title: 'Connected agents', query: 'sum(platen_agents_connected{SERIES})', unit: 'short' },
    {
      title: 'Statements without a database',
      query: rate('platen_db_unavailable_total', 'service'),
      unit: 'ops',
    },
  ],
  'Waiting jobs': [
    { title: 'Jobs by state', query: 'max by (state) (platen_jobs_in_state{SERIES})', unit: 'short' },
    { title: 'Created jobs', query: rate('platen_jobs_created_total', 'mode'), unit: 'ops' },
    { title: 'Ended jobs', query: rate('platen_jobs_ended_total', 'state'), unit: 'ops' },
    {
      title: 'Connected computer that waits longest',
      query: 'max(platen_dispatch_oldest_seconds{SERIES})',
      unit: 's',
    },
    {
      title: 'Delay of event logs',
      query: 'max by (service, log) (platen_event_log_oldest_seconds{SERIES})',
      unit: 's',
    },
    { title: 'Oldest due webhook', query: 'max(platen_webhook_oldest_due_seconds{SERIES})', unit: 's' },
  ],
  Latency: [
    // Reads of the feed wait for events.
    { title: 'API requests, 99th percentile', query: p99(HTTP, undefined, ',route!="/v1/events"'), unit: 's' },
    { title: 'Dispatch, 99th percentile', query: p99('platen_dispatch_seconds'), unit: 's' },
    // Prometheus 3 writes the bound as 1.0.
    {
      title: 'Dispatch within 1 s (objective: 99 %)',
      query: `sum(rate(platen_dispatch_seconds_bucket{SERIES,le=~"1|1[.]0"}${RATE})) / sum(rate(platen_dispatch_seconds_count{SERIES}${RATE}))`,
      unit: 'percentunit',
    },
    { title: 'Document store, 99th percentile', query: p99('platen_file_store_seconds', 'op'), unit: 's' },
    {
      title: 'Delay of event loops, 99th percentile',
      query: 'max by (pod) (nodejs_eventloop_delay_p99_seconds{SERIES})',
      unit: 's',
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
