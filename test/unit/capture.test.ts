import assert from 'node:assert/strict';
import {
  type Capture,
  type CaptureError,
  isCaptureError,
  readCapture,
} from '../../src/engine/manifest/capture';
import { captureErrorMessage } from '../../src/report/captureWords';
import { mutate, pick, seeded } from '../support/random';

const a = { name: 'a', inputSchema: { type: 'object' } };
const b = { name: 'b' };
const c = { name: 'c', description: null };

/** A JSON-RPC response with one page. */
const page = (tools: readonly unknown[], nextCursor?: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  result: { tools, ...(nextCursor === undefined ? {} : { nextCursor }) },
});
const line = (value: unknown) => JSON.stringify(value);

function capture(text: string): Capture {
  const read = readCapture(text);
  assert.ok(!isCaptureError(read), JSON.stringify(read));
  return read;
}

function refusal(text: string): CaptureError {
  const read = readCapture(text);
  assert.ok(isCaptureError(read), JSON.stringify(read));
  assert.ok(read.offset >= 0 && read.offset <= text.length);
  assert.match(captureErrorMessage(read), /\S.*[.]$/);
  return read;
}

/** A line break of every kind. */
const BREAKS = ['\n', '\r\n', '\r'] as const;

describe('a capture', () => {
  const FORMS: readonly (readonly [form: string, text: string, tools: unknown[], skipped?: number])[] = [
    ['a result', line({ tools: [a, b] }), [a, b]],
    ['a result over several lines', JSON.stringify({ tools: [a, b] }, null, 2), [a, b]],
    ['a result without tools', line({ tools: [] }), []],
    ['a result with a null cursor', line({ tools: [a], nextCursor: null }), [a]],
    ['an array of tools', line([a, b]), [a, b]],
    ['an array of tools over several lines', JSON.stringify([a, b], null, 2), [a, b]],
    ['an array with a tool on each line', `[\n${line(a)},\n${line(b)}\n]\n`, [a, b]],
    ['an empty array', '[]', []],
    ['one response', line(page([a, b])), [a, b]],
    ['one response over several lines', JSON.stringify(page([a]), null, '\t'), [a]],
    ['several responses as an array', line([page([a], 'x'), page([b])]), [a, b]],
    ['several results as an array', line([{ tools: [a], nextCursor: 'x' }, { tools: [b] }]), [a, b]],
    ['an array of one response', line([page([a])]), [a]],
    ['an array with other messages', line([{ method: 'x' }, page([a]), { id: 2, result: {} }]), [a], 2],
    ['responses on lines', `${line(page([a], 'x'))}\n${line(page([b]))}\n`, [a, b]],
    ['results on lines', `${line({ tools: [a], nextCursor: 1 })}\n${line({ tools: [b] })}`, [a, b]],
    ['a batch on a line', `${line([page([a], 'x'), page([b])])}\n${line({ id: 9 })}`, [a, b], 1],
    ['a response between log lines', `Listening.\n\n${line(page([a]))}\nBye.\n`, [a], 2],
    ['a response after other messages', `${line({ method: 'x' })}\n${line(page([a]))}\n`, [a], 1],
    [
      'an error and then a response',
      `${line({ jsonrpc: '2.0', id: 1, error: {} })}\n${line(page([a]))}`,
      [a],
      1,
    ],
    ['an SSE event', `event: message\nid: 7\ndata: ${line(page([a]))}\n\n`, [a]],
    ['an SSE event without its last blank line', `data: ${line(page([a]))}`, [a]],
    ['an SSE event without a blank behind the colon', `data:${line(page([a]))}\n\n`, [a]],
    ['SSE events', `data: ${line(page([a], 'x'))}\n\ndata: ${line(page([b]))}\n\n`, [a, b]],
    ['SSE events with comments', `: ping\n\nretry: 10\ndata: ${line(page([a]))}\n\n: ping\n\n`, [a]],
    ['SSE events with other messages', `data: {"method":"x"}\n\ndata: ${line(page([a]))}\n\n`, [a], 1],
    ['SSE events without data', `event: ping\ndata:\n\ndata: ${line(page([a]))}\n\n`, [a]],
  ];
  for (const [form, text, tools, skipped = 0] of FORMS) {
    it(`may be ${form}`, () => {
      assert.deepEqual(capture(text), { definitions: tools, pending: false, skipped, cautions: [] });
    });
  }

  it('may have lines that end in any way', () => {
    for (const end of BREAKS) {
      const lines = ['log', line(page([a], 'x')), '', line(page([b])), ''];
      assert.deepEqual(capture(lines.join(end)).definitions, [a, b]);
      const events = ['data: [', 'data: {"tools":', `data: ${line([a])}}]`, '', `: ping`, ''];
      assert.deepEqual(capture(events.join(end)).definitions, [a]);
      assert.deepEqual(capture(JSON.stringify({ tools: [a] }, null, 2).replaceAll('\n', end)).definitions, [
        a,
      ]);
    }
  });

  it('joins the data lines of one SSE event', () => {
    const text = JSON.stringify(page([a, b]), null, 2);
    const event = text
      .split('\n')
      .map((part) => `data: ${part}\n`)
      .join('');
    assert.deepEqual(capture(`event: message\n${event}\n`).definitions, [a, b]);
  });

  it('gives definitions as they were on the wire: keys, order, values, what is no object', () => {
    const tools =
      '[{"name":"x","__proto__":{"y":1},"b":1.0,"a":-0,"inputSchema":{"2":1,"1":2}},null,7,"s",[]]';
    for (const text of [
      tools,
      `{"tools":${tools}}`,
      `data: {"tools":${tools}}\n\n`,
      `log\n{"tools":${tools}}`,
    ]) {
      assert.equal(JSON.stringify(capture(text).definitions), JSON.stringify(JSON.parse(tools)));
      assert.deepEqual(capture(text).definitions, JSON.parse(tools));
    }
  });

  it('keeps a repeated page, so that its names are duplicates', () => {
    assert.deepEqual(capture(`${line(page([a], 'x'))}\n${line(page([a]))}`).definitions, [a, a]);
  });

  it('reads a tool that has a “tools” of its own as a tool', () => {
    const odd = { name: 'odd', tools: [a], result: { tools: [b] } };
    assert.deepEqual(capture(line([odd, a])).definitions, [odd, a]);
    assert.deepEqual(capture(line({ tools: [odd] })).definitions, [odd]);
  });

  it('takes the result of a response, not what stands beside it', () => {
    assert.deepEqual(capture(line({ result: { tools: [a] }, tools: [b] })).definitions, [a]);
  });

  it('never passes over a tool because another entry looks like a message', () => {
    // Only a message may be skipped: a nameless entry of a list must not be able to hide the list around it.
    for (const odd of [
      { tools: [] },
      { jsonrpc: '2.0', result: { tools: [b] } },
      { result: { tools: [] } },
    ]) {
      const read = readCapture(line([a, odd]));
      assert.ok(isCaptureError(read) || read.definitions.some((tool) => line(tool) === line(a)), line(read));
    }
  });
});

describe('the last page of a capture', () => {
  const CURSORS: readonly (readonly [cursor: unknown, pending: boolean])[] = [
    [undefined, false],
    [null, false],
    ['x', true],
    ['', true],
    [0, true],
    [false, true],
    [{}, true],
  ];
  for (const [cursor, pending] of CURSORS) {
    it(`${pending ? 'leaves' : 'does not leave'} the list open with the cursor ${JSON.stringify(cursor)}`, () => {
      const last = page([b], cursor);
      const texts = [
        line(last),
        line(last.result),
        line([page([a], 'x'), last]),
        `${line(page([a], ''))}\n${line(last)}`,
        `data: ${line(last)}\n\n`,
      ];
      for (const text of texts) assert.equal(capture(text).pending, pending, text);
    });
  }

  it('is the last tools/list result, whatever follows it', () => {
    assert.equal(capture(`${line(page([a], 'x'))}\n${line({ id: 2, result: {} })}\nlog`).pending, true);
    assert.equal(capture(`${line(page([a]))}\n${line({ result: { nextCursor: 'x' } })}`).pending, false);
  });
});

describe('pages of a capture', () => {
  const between = (...messages: unknown[]) => messages.map(line).join('\n');

  it('are one list when each names the next one', () => {
    const three = [page([a], 'x'), page([b], ''), page([c])];
    for (const text of [line(three), between(...three)]) {
      assert.deepEqual(capture(text).definitions, [a, b, c]);
    }
  });

  it('are no list when one before the last names no next one', () => {
    const BROKEN: readonly (readonly [unknown[], page: number, pages: number])[] = [
      [[page([a]), page([b])], 1, 2],
      [[page([a], null), page([b], 'x')], 1, 2],
      [[page([a], 'x'), page([b]), page([c])], 2, 3],
    ];
    for (const [pages, broken, all] of BROKEN) {
      const found = refusal(line(pages));
      assert.ok(found.code === 'no chain', found.code);
      assert.deepEqual([found.page, found.pages], [broken, all]);
      const text = between('log', ...pages);
      const onLines = refusal(text);
      assert.ok(onLines.code === 'no chain', onLines.code);
      assert.equal(onLines.offset, text.indexOf(line(pages[broken - 1])));
      const events = pages.map((one) => `data: ${line(one)}\n\n`).join('');
      assert.equal(refusal(events).code, 'no chain');
    }
  });
});

describe('no capture', () => {
  const FOUND: readonly (readonly [text: string, found: string])[] = [
    ['null', 'null'],
    ['true', 'a boolean'],
    ['7', 'a number'],
    ['"tools"', 'a string'],
    ['{}', 'an empty object'],
    ['{"result":{}}', 'an object with "result"'],
    ['{"name":"a","inputSchema":{}}', 'an object with "name", "inputSchema"'],
    ['{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}', 'an object with "a", "b", "c", "d", "e", …'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-32601}}', 'a JSON-RPC error response'],
    ['{"jsonrpc":"2.0","id":1,"result":[{"name":"a"}]}', 'an object with "jsonrpc", "id", "result"'],
    ['{"__proto__":{"tools":[]}}', 'an object with "__proto__"'],
    ['[{"jsonrpc":"2.0","method":"tools/list"}]', 'an array without tools/list results'],
  ];
  for (const [text, found] of FOUND) {
    it(`is ${text}, and it is said to be ${found}`, () => {
      assert.deepEqual(refusal(text), { code: 'not a capture', found, offset: 0 });
      assert.ok(captureErrorMessage(refusal(text)).includes(found));
    });
  }

  it('is a “tools” that is no array, wherever it stands', () => {
    const at = (text: string, found: string, offset = 0) => {
      assert.deepEqual(refusal(text), { code: 'tools is no array', found, offset });
    };
    at('{"tools":null}', 'null');
    at('{"tools":{"a":1}}', 'an object with "a"');
    at('{"result":{"tools":"x"}}', 'a string');
    at('[{"result":{"tools":[]}},{"result":{"tools":7}}]', 'a number');
    at('log\n{"tools":true}', 'a boolean', 4);
    at('data: {"tools":{}}\n\n', 'an empty object', 6);
  });

  it('is a text of messages and lines without a tools/list result', () => {
    const none = (text: string, skipped: number) => {
      assert.deepEqual(refusal(text), { code: 'no tools result', skipped, offset: 0 });
    };
    none('{"id":1}\n{"id":2}', 2);
    none('log\n{"id":1}\nlog', 3);
    none('data: {"method":"x"}\n\ndata: {"id":1}\n\n', 2);
    // An array of tools is a form of its own, not one of a line among others.
    none('log\n[{"name":"a"}]', 2);
  });

  const PROBLEMS: readonly (readonly [text: string, code: string, at: string])[] = [
    ['', 'json_syntax', ''],
    ['Listening on port 80', 'json_syntax', 'Listening'],
    ['{"tools":[}', 'json_syntax', '}'],
    ['{"tools":[]} {"tools":[]}', 'json_syntax', '{"tools":[]}$'],
    ['{"tools":[],}', 'json_syntax', '}'],
    ['{"tools":[] // a\n}', 'json_syntax', '//'],
    ['{\n  "tools": [\n    {"name": x}\n  ]\n}', 'json_syntax', 'x'],
    ['{"tools":[{"name":"a","name":"b"}]}', 'duplicate_key', '"name":"b"'],
    ['{"tools":[],"tools":[]}', 'duplicate_key', '"tools":[]}'],
    ['{"tools":[{"name":"a","x":1e400}]}', 'number_out_of_range', '1e400'],
    ['[{"name":"a","x":-1e400}]', 'number_out_of_range', '-1e400'],
    ['{"tools":[{"name":"\\ud800"}]}', 'lone_surrogate', '"\\ud800"'],
    ['{"tools":[{"\\udc00":1}]}', 'lone_surrogate', '"\\udc00"'],
    ['{"result":{"tools":[]}}\n{broken\n', 'json_syntax', 'broken'],
    ['{"result":{"tools":[]}}\n[info] hello\n', 'json_syntax', 'info'],
    ['log\n{"tools":[{"x":1,"x":2}]}', 'duplicate_key', '"x":2'],
    ['data: {"tools":[{"x":1e999}]}\n\n', 'number_out_of_range', '1e999'],
    ['data: {"tools":[]}\n\ndata: {broken\n\n', 'json_syntax', 'broken'],
    ['{"tools":[]}\nlog\n  {"a":\n', 'json_syntax', '\n$'],
  ];
  for (const [text, code, at] of PROBLEMS) {
    it(`is ${JSON.stringify(text)}: ${code}`, () => {
      const found = refusal(text);
      assert.ok(found.code === 'problem', found.code);
      assert.equal(found.problem.code, code);
      const [part = '', end] = at.split('$');
      assert.equal(found.offset, end === undefined ? text.indexOf(part) : text.lastIndexOf(part));
    });
  }

  it('is one whose nesting is too deep', () => {
    const nested = (levels: number) => `{"tools":[${'['.repeat(levels)}${']'.repeat(levels)}]}`;
    assert.deepEqual(capture(nested(125)).definitions.length, 1);
    const last = `${nested(125)}\n${nested(126)}`;
    for (const text of [nested(126), `data: ${nested(126)}\n\n`, last]) {
      const found = refusal(text);
      assert.ok(found.code === 'problem');
      assert.equal(found.problem.code, 'nesting_too_deep');
      assert.equal(found.offset, text.lastIndexOf('['));
    }
  });

  it('is what cannot be read on the first of several JSON lines, at its own place', () => {
    const broken = `log\n{broken\n${line(page([a]))}\n`;
    assert.equal(refusal(broken).offset, broken.indexOf('broken'));
    const deep = `log\n{"tools":[${'['.repeat(126)}${']'.repeat(126)}]}`;
    const found = refusal(deep);
    assert.ok(found.code === 'problem');
    assert.equal(found.problem.code, 'nesting_too_deep');
    assert.equal(found.offset, deep.lastIndexOf('['));
  });

  it('is broken JSON in an SSE event of several data lines, at its own place', () => {
    const text = 'event: message\ndata: {"jsonrpc":"2.0",\ndata: "result":{"tools":[]} x}\n\n';
    assert.equal(refusal(text).offset, text.indexOf('x'));
  });
});

describe('what a capture warns of', () => {
  it('is an integer that a double does not hold', () => {
    for (const text of [
      '{"tools":[{"x":9007199254740993}]}',
      'log\n{"tools":[{"x":9007199254740993}]}',
      'data: {"tools":[{"x":9007199254740993}]}\n\n',
    ]) {
      const { cautions, definitions } = capture(text);
      assert.deepEqual(
        cautions.map(({ code }) => code),
        ['integer_not_exact'],
      );
      assert.deepEqual(definitions, [{ x: 2 ** 53 }]);
    }
  });

  it('stands where it stands in the whole text', () => {
    const text = 'log\n{"tools":[{"x":9007199254740993}]}';
    const [caution] = capture(text).cautions;
    assert.ok(caution);
    assert.equal(text.slice(caution.start, caution.end), '9007199254740993');
  });
});

describe('random damage to a capture', () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  const TEXTS = [
    line({ tools: [a, b] }),
    JSON.stringify([a, b, c], null, 2),
    line([page([a], 'x'), page([b])]),
    `Listening.\n${line(page([a], 'x'))}\r\n${line(page([b]))}\n`,
    `event: message\ndata: ${line(page([a], 'x'))}\n\n: ping\n\ndata: {"result":\ndata: ${line({ tools: [b] })}}\n\n`,
  ] as const;
  const PIECES = [
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\n',
    '\r\n',
    '\r',
    '\n\n',
    'data: ',
    'data:',
    'event: x\n',
    ': \n',
    '"tools":',
    '"result":',
    '"nextCursor":"",',
    '"jsonrpc":"2.0",',
    '\\ud800',
    '1e400',
    '9007199254740993',
    'null',
    '"__proto__":{"tools":[]},',
    '[[[[[[[[[[[[[[[[',
    '\u{FEFF}',
    '\u{2028}',
    '\u{1F511}',
  ] as const;

  it(`never makes the reader throw or point outside the text (SEED=${seed})`, () => {
    const random = seeded(seed);
    for (let round = 0; round < 3_000; round++) {
      const text = mutate(random, pick(random, TEXTS), PIECES);
      const read = readCapture(text);
      if (!isCaptureError(read)) {
        assert.ok(Array.isArray(read.definitions) && read.skipped >= 0, text);
        continue;
      }
      assert.ok(read.offset >= 0 && read.offset <= text.length, JSON.stringify(text));
      assert.match(captureErrorMessage(read), /\S/);
    }
  }).timeout(60_000);
});
