/**
 * Metrics by the OpenTelemetry API, declared once in `metrics.ts`. Until `startMetrics` they cost a comparison, and
 * nothing is recorded.
 *
 * A label never contains an id or text from outside: a value that is not in the list of its label becomes `other`.
 */
import type {
  Attributes,
  Counter as CounterInstrument,
  Histogram as HistogramInstrument,
  Meter,
  ObservableGauge,
} from '@opentelemetry/api'

/** The values of each label. Null: names that the code defines, such as those of services and routes. */
type LabelValues<Name extends string> = Record<Name, readonly string[] | null>
type Labels<Name extends string> = Record<Name, string>

export interface Counter<Name extends string> {
  /** Zero makes the counter visible, so that its first increase is one. */
  add(count: number, labels: Labels<Name>): void
}

export interface Histogram<Name extends string> {
  record(seconds: number, labels: Labels<Name>): void
}

export interface Gauge<Name extends string> {
  set(value: number, labels: Labels<Name>): void
  /** Reads the value whenever the metrics are read. */
  observe(labels: Labels<Name>, read: () => number): void
}

const OTHER = 'other'

/** The interval of the timers that read gauges from the database. */
export const MEASURE_EVERY_MS = 15_000

/** The binding of each declared metric. */
const bindings: ((meter: Meter) => void)[] = []
let isOn = false

/** Whether anything reads the metrics. Does not change after the start of a process. */
export const areMetricsOn = (): boolean => isOn

/** Creates the instruments of all declared metrics. */
export function bindMetrics(meter: Meter): void {
  isOn = true
  for (const bind of bindings) bind(meter)
}

/** @param name as Prometheus shows it. */
export function counter<Name extends string>(
  name: `${string}_total`,
  description: string,
  labels: LabelValues<Name>,
): Counter<Name> {
  const toAttributes = createLabels(labels)
  let instrument: CounterInstrument | undefined
  bindings.push((meter) => {
    instrument = meter.createCounter(name, { description })
  })
  return { add: (count, values) => instrument?.add(count, toAttributes(values)) }
}

/** @param buckets their upper bounds in seconds. */
export function histogram<Name extends string>(
  name: `${string}_seconds`,
  description: string,
  buckets: number[],
  labels: LabelValues<Name>,
): Histogram<Name> {
  const toAttributes = createLabels(labels)
  let instrument: HistogramInstrument | undefined
  bindings.push((meter) => {
    instrument = meter.createHistogram(name, {
      description,
      unit: 's',
      advice: { explicitBucketBoundaries: buckets },
    })
  })
  return { record: (seconds, values) => instrument?.record(Math.max(0, seconds), toAttributes(values)) }
}

export function gauge<Name extends string>(name: string, description: string, labels: LabelValues<Name>): Gauge<Name> {
  const toAttributes = createLabels(labels)
  let instrument: ObservableGauge | undefined
  /** Values by their labels. */
  const values = new Map<string, { attributes: Attributes; read: () => number }>()
  bindings.push((meter) => {
    instrument = meter.createObservableGauge(name, {
      description,
      ...(name.endsWith('_seconds') && { unit: 's' }),
    })
    instrument.addCallback((result) => {
      for (const { attributes, read } of values.values()) result.observe(read(), attributes)
    })
  })
  const observe = (of: Labels<Name>, read: () => number) => {
    if (!instrument) return
    const attributes = toAttributes(of)
    values.set(JSON.stringify(attributes), { attributes, read })
  }
  return { observe, set: (value, of) => observe(of, () => value) }
}

const NO_ATTRIBUTES: Attributes = {}

/** @returns a function that replaces unknown values. */
export function createLabels<Name extends string>(labels: LabelValues<Name>): (values: Labels<Name>) => Attributes {
  const known = Object.entries<readonly string[] | null>(labels).map(
    ([name, values]) => [name as Name, values && new Set(values)] as const,
  )
  if (known.length === 0) return () => NO_ATTRIBUTES
  return (values) => {
    const attributes: Attributes = {}
    for (const [name, allowed] of known) {
      const value = values[name]
      attributes[name] = allowed === null || allowed.has(value) ? value : OTHER
    }
    return attributes
  }
}
