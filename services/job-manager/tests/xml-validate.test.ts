import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileTaskRig, openFileTaskRig } from './file-task-rig.ts';

let rig: FileTaskRig;

beforeAll(async () => {
  rig = await openFileTaskRig();
});
afterAll(() => rig?.[Symbol.asyncDispose]());

type Given = Readonly<Record<string, unknown>>;

async function check(document: string | Buffer, given: Given = {}): Promise<Record<string, unknown>> {
  await rig.deliver('/inbox/a.xml', document);
  return await rig.run('xml-validate', { source: '/inbox/a.xml', onErrors: 'continue', ...given });
}

/** Checks with a schema of these definitions. */
async function checkWith(definitions: string, document: string, given: Given = {}): Promise<Record<string, unknown>> {
  await rig.deliver('/inbox/a.xsd', schemaOf(definitions));
  return await check(document, { schema: '/inbox/a.xsd', ...given });
}

const schemaOf = (definitions: string, attributes = '') =>
  `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" ${attributes}>${definitions}</xs:schema>`;

const orders = `<xs:element name="orders"><xs:complexType><xs:sequence>
  <xs:element name="order" type="xs:integer" maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element>`;

describe('the task xml-validate without a schema', () => {
  it.each([
    ['plain', '<a/>'],
    ['with a namespace and a comment', '<?xml version="1.0"?>\n<!-- c --><a xmlns="urn:x"><b>ü</b></a>\n'],
    ['UTF-16', Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-16"?><a>ü</a>', 'utf16le')],
    ['ISO 8859-15', Buffer.from('<?xml version="1.0" encoding="ISO-8859-15"?><a>\xfc</a>', 'latin1')],
  ])('accepts a document: %s', async (_what, document) => {
    expect(await check(document)).toMatchObject({ valid: true, root: 'a', errorCount: '0', errors: [] });
  });

  it.each([
    ['nothing', '', 'line 1: Document is empty'],
    ['text', 'hello', 'line 1: Start tag expected'],
    ['a wrong end', `<a>\n${'\n'.repeat(70_000)}<b></a>`, 'line 70002: Opening and ending tag mismatch'],
    ['half of a document', '<a><b>', 'line 1: Premature end'],
    ['two documents', '<a/><b/>', 'Extra content'],
    ['bytes of another charset', Buffer.from('<a>\xfc</a>', 'latin1'), 'Invalid bytes'],
    ['a charset that does not exist', '<?xml version="1.0" encoding="klingon"?><a/>', 'encoding'],
    ['elements that are too deep', '<a>'.repeat(100_000), 'Excessive depth'],
    ['a text that is too long', `<a>${'x'.repeat(10_100_000)}</a>`, 'Text node too long'],
    ['a document type declaration', '<!DOCTYPE a><a/>', 'line 1: the document has a document type declaration'],
  ])('refuses %s', async (_what, document, message) => {
    const outputs = await check(document, { bytesAtMost: 20_000_000 });
    expect(outputs).toMatchObject({ valid: false });
    expect(String(outputs['errors'])).toContain(message);
  });

  it('writes a report, and fails if errors are not wanted', async () => {
    const given = { report: '/outbox/r', onErrors: 'fail' };
    await expect(check('<a>\n<b>\n</a>\n</c>', given)).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining(
        '/inbox/a.xml has 2 errors: line 3: Opening and ending tag mismatch: b line 2 and a',
      ),
    });
    const lines = ((await rig.read('/outbox/r')) ?? '').trimEnd().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([{ line: 3 }, { line: 4 }]);
  });

  it('reads no external entity and no external declaration', async () => {
    const declared = (entity: string) => `<!DOCTYPE a [${entity}]><a>&x;</a>`;
    for (const place of ['file:///etc/passwd', '/inbox/a.xsd', 'http://127.0.0.1:1/x']) {
      expect(await check(declared(`<!ENTITY x SYSTEM "${place}">`), { doctype: 'allow' })).toMatchObject({
        valid: true,
      });
    }
    expect(await check('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', { doctype: 'allow' })).toMatchObject({
      valid: true,
    });
    const parameter = '<!DOCTYPE a [<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]><a/>';
    expect(await check(parameter, { doctype: 'allow' })).toMatchObject({ root: 'a' });
  });

  it.each([
    ['exponential', `<!DOCTYPE a [<!ENTITY l0 "lollollol">${bomb(12)}]><a>&l12;</a>`],
    ['quadratic', `<!DOCTYPE a [<!ENTITY l "${'x'.repeat(100_000)}">]><a>${'&l;'.repeat(100_000)}</a>`],
    ['endless', '<!DOCTYPE a [<!ENTITY a "&b;"><!ENTITY b "&a;">]><a>&a;</a>'],
  ])('does not expand %s entities', async (_what, document) => {
    expect(await check(document, { doctype: 'allow' })).toMatchObject({ valid: false, root: '' });
  });

  it('limits the size of the document, and the memory that it needs', async () => {
    await expect(check('<a>12345</a>', { bytesAtMost: 11 })).rejects.toMatchObject({
      code: 'validation_failed',
      message: '/inbox/a.xml: the document has more than 11 bytes',
    });
    const large = `<a>${'x<b/>'.repeat(4_000_000)}</a>`;
    expect(await check(large, { bytesAtMost: 67_108_864 })).toMatchObject({
      errors: [expect.stringContaining('needs more memory than is permitted')],
    });
    expect(await check('<a/>')).toMatchObject({ valid: true });
  });
});

function bomb(levels: number): string {
  const level = (at: number) => `<!ENTITY l${at} "${`&l${at - 1};`.repeat(10)}">`;
  return Array.from({ length: levels }, (_, at) => level(at + 1)).join('');
}

describe('the task xml-validate with a schema', () => {
  it('finds all errors with their lines', async () => {
    expect(await checkWith(orders, '<orders><order>1</order></orders>')).toMatchObject({ valid: true, root: 'orders' });
    const outputs = await checkWith(orders, '<orders>\n<order>1</order>\n<order>x</order>\n<c/></orders>');
    expect(outputs).toMatchObject({ valid: false, errorCount: '2' });
    expect(outputs['errors']).toEqual([
      "line 3: Element 'order': 'x' is not a valid value of the atomic type 'xs:integer'.",
      "line 4: Element 'c': This element is not expected. Expected is ( order ).",
    ]);
  });

  it('shortens messages that repeat a value of the document', async () => {
    const outputs = await checkWith(orders, `<orders><order>${'y'.repeat(1_000_000)}</order></orders>`);
    expect(String(outputs['errors']).length).toBeLessThan(400);
  });

  it('finds included and imported schemas by their last names, whatever their places are', async () => {
    await rig.deliver('/inbox/b.xsd', schemaOf('<xs:element name="b" type="xs:date"/>', 'targetNamespace="urn:b"'));
    const definitions = `<xs:import namespace="urn:b" schemaLocation="http://partner.example/2026/b.xsd"/>
      <xs:element name="a"><xs:complexType><xs:sequence><xs:element ref="b:b" xmlns:b="urn:b"/></xs:sequence></xs:complexType></xs:element>`;
    const given = { includes: ['/inbox/b.xsd'] };
    expect(await checkWith(definitions, '<a><b xmlns="urn:b">2026-03-02</b></a>', given)).toMatchObject({
      valid: true,
    });
    expect(await checkWith(definitions, '<a><b xmlns="urn:b">x</b></a>', given)).toMatchObject({ errorCount: '1' });
  });

  it.each([
    ['that is no XML', 'x', 'line 1'],
    ['that is no schema', '<a/>', 'not a schema document'],
    ['with an unknown type', schemaOf('<xs:element name="a" type="b"/>'), "'b' does not resolve"],
    [
      'that imports a file which is not given',
      schemaOf('<xs:import schemaLocation="file:///etc/passwd"/>'),
      'does not name',
    ],
    ['that includes a file which is not given', schemaOf('<xs:include schemaLocation="x.xsd"/>'), 'does not name'],
  ])('refuses a schema %s', async (_what, schema, message) => {
    await rig.deliver('/inbox/a.xsd', schema);
    await expect(check('<a/>', { schema: '/inbox/a.xsd' })).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining(message),
    });
  });

  it('refuses two included files with the same name, and a schema that is too large', async () => {
    await rig.deliver('/outbox/a.xsd', schemaOf(''));
    await expect(checkWith(orders, '<a/>', { includes: ['/inbox/a.xsd', '/outbox/a.xsd'] })).rejects.toThrow(
      'same name',
    );
    await rig.deliver('/inbox/large.xsd', Buffer.alloc(2_097_153, ' '));
    await expect(check('<a/>', { schema: '/inbox/large.xsd' })).rejects.toThrow('more than 2097152');
  });

  it('does not let a document choose its schema', async () => {
    const hint = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="a.xsd"';
    expect(await checkWith(orders, `<other ${hint}/>`, { includes: ['/inbox/a.xsd'] })).toMatchObject({ valid: false });
  });

  it('ends a check that takes too long, whatever it does', async () => {
    // The place of each error costs as much as there are elements before it.
    const document = `<orders>${'<order>x</order>'.repeat(500_000)}</orders>`;
    const failing = checkWith(orders, document, { secondsAtMost: 1 });
    await expect(failing).rejects.toMatchObject({ message: expect.stringContaining('it took more than 1 s') });
    expect(await check('<a/>')).toMatchObject({ valid: true });
  });
});
