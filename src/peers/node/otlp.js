// OpenTelemetry's SDK for JavaScript. Arguments: json or proto, and the URL.
import { OTLPMetricExporter as Json } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as Proto } from '@opentelemetry/exporter-metrics-otlp-proto';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';

const [kind, url] = process.argv.slice(2);
const exporter = new (kind === 'json' ? Json : Proto)({ url });
const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
const provider = new MeterProvider({ readers: [reader] });
const meter = provider.getMeter('plant');
meter.createCounter('pump.starts').add(3, { line: '3' });
meter.createGauge('pump.temperature').record(71.5, { line: '3' });
await provider.shutdown();
