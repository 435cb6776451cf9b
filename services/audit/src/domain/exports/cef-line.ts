import type { StoredRecord } from '../records/log-record.ts';
import { escapeControls } from './escape-controls.ts';
import { type ExportEnd, hasFailed } from './event-facts.ts';

const device = 'CEF:0|Waybill|Waybill|1';

/** A record in the Common Event Format, version 0. */
export function cefLine(record: StoredRecord): string {
  const failed = hasFailed(record);
  const { context } = record;
  const extension = {
    rt: Date.parse(record.auditTime),
    externalId: record.id,
    outcome: failed ? 'failure' : 'success',
    dvchost: record.nodeId,
    src: context.address,
    spt: context.port,
    suser: record.dataoneUser,
    requestClientApplication: context.client,
    filePath: record.entityName.startsWith('/') ? record.entityName : undefined,
    fileId: record.entityName.startsWith('/') ? record.entityId : undefined,
    fsize: context.fileSize,
    fileHash: context.fileHash,
    cat: record.clusterId,
    reason: context.reason,
    msg: record.auditMessage,
    cn1Label: 'sequence',
    cn1: record.sequence,
    cn2Label: 'apiKey',
    cn2: context.apiKey,
    cs1Label: 'entityType',
    cs1: record.entityType,
    cs2Label: 'entityName',
    cs2: record.entityName,
    cs3Label: 'entityId',
    cs3: record.entityId,
    cs4Label: 'dfiid',
    cs4: record.dfiid ?? undefined,
    cs5Label: 'virtualFileSystem',
    cs5: context.virtualFileSystem,
    cs6Label: 'hash',
    cs6: record.hash,
  };
  return `${device}|${header(record.auditCode)}|${header(record.auditOperation)}|${failed ? 6 : 3}|${pairs(extension)}\n`;
}

/** The checkpoint as an event. */
export function cefEnd({ checkpoint, validity, filter }: ExportEnd): string {
  const extension = {
    msg: checkpoint,
    cs1Label: 'keys',
    cs1: validity.map(({ key }) => key).join(' '),
    cs2Label: 'filter',
    cs2: filter,
  };
  return `${device}|CHECKPOINT|Checkpoint of the audit log|0|${pairs(extension)}\n`;
}

function pairs(extension: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(extension).filter(([name, value]) => {
    const labelled = name.endsWith('Label') ? extension[name.slice(0, -'Label'.length)] : value;
    return labelled !== undefined && labelled !== '' && value !== undefined;
  });
  return given.map(([name, value]) => `${name}=${extensionValue(String(value))}`).join(' ');
}

function header(text: string): string {
  return text.replaceAll(/[\\|]/gu, String.raw`\$&`).replaceAll(/[\r\n]/gu, ' ');
}

/** Line breaks are written as `\n` and `\r`, so that no value can begin another event. */
function extensionValue(text: string): string {
  return escapeControls(text.replaceAll('\u0085', ' '))
    .replaceAll(/[\\=]/gu, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`)
    .replaceAll(/[\u2028\u2029]/gu, ' ');
}
