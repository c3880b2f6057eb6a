// The page: asks for the state once per second, shows it, and sends actions.

import {Chart, LINES} from './chart.js';

const POLL_MILLIS = 1_000;
const MESSAGE_MILLIS = 6_000;
const token = document.querySelector('meta[name=demo-token]').content;
const find = id => document.getElementById(id);

let selected = 'roaming';
let state = null;
let messageTimer = 0;

/** A new element with a class and text; text is never parsed. */
function make(name, className, text) {
  const created = document.createElement(name);
  created.className = className;
  if (text !== undefined) {
    created.textContent = text;
  }
  return created;
}

/** Changes a text only if it differs, so that selections and screen readers are not disturbed. */
function setText(id, text) {
  const target = find(id);
  if (target.textContent !== text) {
    target.textContent = text;
  }
}

const times = count => (count / state.limit).toFixed(2);
const whole = number => Math.round(number).toLocaleString('en');

// Legend: the values of the last sample, or of the one under the pointer.
const legendValues = new Map();
for (const {name, label} of LINES) {
  const entry = make('span', `entry ${name}`);
  const value = make('b', '', '–');
  entry.append(make('i', ''), make('span', '', label), value);
  find('legend').append(entry);
  legendValues.set(name, value);
}
const chart = new Chart(find('chart'), sample => {
  const shown = sample ?? user()?.samples.at(-1);
  for (const {index, name} of LINES) {
    legendValues.get(name).textContent = shown?.[index] ?? '–';
  }
});

function user() {
  return state?.users.find(candidate => candidate.name === selected) ?? state?.users[0];
}

// Users: a tab for each.
function showUsers() {
  const names = state.users.map(({name}) => name);
  if (!names.includes(selected)) {
    selected = names.find(name => name.startsWith('attacker')) ?? names[0];
  }
  const tabs = find('users');
  if ([...tabs.children].map(tab => tab.textContent).join() !== names.join()) {
    tabs.replaceChildren(...names.map(name => {
      const tab = make('button', 'tab', name);
      tab.id = `user-${name.startsWith('attacker') ? 'attacker' : name}`;
      tab.addEventListener('click', () => {
        selected = name;
        show();
      });
      return tab;
    }));
  }
  for (const tab of tabs.children) {
    tab.setAttribute('aria-pressed', tab.textContent === selected);
  }
}

function showFigures() {
  const {traffic, samples, admitted, admittedMost, reference, referenceMost} = user();
  setText('chart-about', `${traffic} Limit: ${state.limit} per minute.`);
  chart.show(samples, state.limit, state.time, state.events.filter(event => event.kind === 'action'));
  setText('ours-now', times(admitted));
  setText('ours-most', `${times(admittedMost)}×`);
  setText('theirs-now', times(reference));
  setText('theirs-most', `${times(referenceMost)}×`);
  // Full is 2.5 times the limit, where the scale of the meter ends.
  find('ours-bar').style.width = `${Math.min(100, 40 * times(admitted))}%`;
  find('theirs-bar').style.width = `${Math.min(100, 40 * times(reference))}%`;
  const {rates, totals} = state;
  for (const rate of ['requests', 'admitted', 'denied', 'degraded']) {
    setText(`rate-${rate}`, whole(rates[rate]));
  }
  setText('total-failed', whole(totals.failed));
  setText('failed-label', `failed, of ${whole(totals.requests)}`);
  find('stat-degraded').dataset.level = rates.degraded >= 0.5 ? 'warn' : '';
  find('stat-failed').dataset.level = totals.failed > 0 ? 'bad' : 'good';
  find('stat-failed').title = totals.lastFailure ?? 'No request has failed.';
}

// Regions: built once, then updated in place, so that a button never moves under the pointer.
const cards = new Map();

function link(text) {
  const created = make('a', '', text);
  created.target = '_blank';
  created.rel = 'noreferrer';
  return created;
}

function actionButton(region, kind) {
  const button = make('button', 'small');
  button.id = `${kind}-${region}`;
  button.dataset.region = region;
  return button;
}

function nodeRow(name) {
  const row = make('li', 'node');
  row.id = `node-${name}`;
  const status = make('span', 'state');
  const reader = make('span', 'reader', 'reader');
  const console = link('console');
  const metrics = link('metrics');
  const links = make('span', 'links');
  links.append(console, metrics);
  row.append(make('i', 'lamp'), make('b', '', name), reader, status, links);
  return {row, status, reader, console, metrics};
}

function storeRow(label, button) {
  const row = make('li', 'store');
  const status = make('span', 'state');
  row.append(make('i', 'lamp'), make('b', '', label), status, button);
  return {row, status};
}

function createCard(region) {
  const root = make('article', 'card region');
  root.id = `region-${region.name}`;
  const list = make('ul', 'parts');
  const nodes = region.nodes.map(node => nodeRow(node.name));
  const redisButton = actionButton(region.name, 'redis');
  const databaseButton = actionButton(region.name, 'database');
  const readerButton = actionButton(region.name, 'reader');
  readerButton.textContent = 'Kill the reader';
  readerButton.dataset.action = 'kill-reader';
  const redis = storeRow('Redis', redisButton);
  redis.row.id = `redis-state-${region.name}`;
  const database = storeRow('Database', databaseButton);
  database.row.id = `database-state-${region.name}`;
  list.append(...nodes.map(({row}) => row), redis.row, database.row);
  const head = make('div', 'head');
  head.append(make('h3', `name ${region.name}`, region.name), readerButton);
  root.append(head, list);
  find('regions').append(root);
  return {root, nodes, redis, database, redisButton, databaseButton, readerButton};
}

function setStore({row, status}, store, broken, words) {
  row.dataset.level = broken || store.status !== 'ok' ? 'bad' : 'good';
  status.textContent = broken ? words
    : store.status === 'ok' ? 'ok' : `recovering: ${store.reason ?? 'unavailable'}`;
}

function setButton(button, on, action, text, undo) {
  if (button.dataset.region) {
    const part = button.id.startsWith('redis-') ? 'Redis of' : 'the database,';
    button.ariaLabel = `${on ? text[0] : text[1]} ${part} ${button.dataset.region}`;
  }
  button.dataset.action = on ? action[0] : action[1];
  button.textContent = on ? text[0] : text[1];
  button.classList.toggle('undo', undo);
}

const NODE_WORDS = {alive: '', starting: 'starting', killed: 'killed, starts again soon'};

function showRegion(region) {
  if (!cards.has(region.name)) {
    cards.set(region.name, createCard(region));
  }
  const card = cards.get(region.name);
  // While Redis is down, each node reads for itself and none for the region.
  const reader = region.nodes.filter(node => node.reading).length === 1;
  region.nodes.forEach((node, i) => {
    const {row, status, reader: mark, console, metrics} = card.nodes[i];
    row.dataset.level = node.state !== 'alive' ? 'bad' : node.status === 'ok' ? 'good' : 'warn';
    row.dataset.state = node.state;
    status.textContent = node.state === 'alive' && node.status !== 'ok' ? node.status : NODE_WORDS[node.state];
    mark.hidden = !(reader && node.reading);
    console.hidden = !state.console;
    console.href = `${node.admin}/console/`;
    metrics.href = `${node.admin}/metrics`;
  });
  setStore(card.redis, region.redis, !region.redisRunning, 'killed');
  setStore(card.database, region.database, !region.connected, 'cut off');
  setButton(card.redisButton, region.redisRunning, ['stop-redis', 'start-redis'],
    ['Kill', 'Start'], !region.redisRunning);
  setButton(card.databaseButton, region.connected, ['cut-off', 'reconnect'],
    ['Cut off', 'Reconnect'], !region.connected);
  card.readerButton.disabled = !reader || region.nodes.some(node => node.state !== 'alive');
  card.root.dataset.level = card.root.querySelector('[data-level=bad]') ? 'bad' : 'good';
}

function showEvents() {
  const list = find('events');
  const key = state.events.length === 0 ? '' : `${state.events[0].time} ${state.events[0].text}`;
  if (list.dataset.key === key && list.children.length > 0) {
    return;
  }
  list.dataset.key = key;
  if (state.events.length === 0) {
    list.replaceChildren(make('li', 'empty', 'Nothing yet. Kill a Redis, or start an attacker.'));
    return;
  }
  list.replaceChildren(...state.events.map(event => {
    const line = make('li', event.kind);
    const time = make('time', '', new Date(event.time).toLocaleTimeString('en-GB'));
    const body = make('div', '');
    body.append(make('p', '', event.text));
    if (event.watch) {
      body.append(make('p', 'watch', event.watch));
    }
    line.append(time, body);
    return line;
  }));
}

function show() {
  showUsers();
  showFigures();
  state.regions.forEach(showRegion);
  find('burst').disabled = state.bursting;
  find('burst').textContent = state.bursting ? 'Burst …' : 'Send a burst';
  setButton(find('attacker'), !state.attacking, ['start-attacker', 'stop-attacker'],
    ['Start an attacker', 'Stop the attacker'], state.attacking);
  showEvents();
  const seconds = Math.max(0, Math.floor((state.time - state.startedAt) / 1_000));
  setLive('on', `running ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`);
}

function setLive(status, text) {
  find('live').dataset.state = status;
  setText('live', text);
}

function showMessage(text) {
  clearTimeout(messageTimer);
  find('message').textContent = text;
  find('message').hidden = false;
  messageTimer = setTimeout(() => {
    find('message').hidden = true;
  }, MESSAGE_MILLIS);
}

async function refresh() {
  const response = await fetch('state', {cache: 'no-store'});
  if (!response.ok) {
    throw new Error(`status ${response.status}`);
  }
  state = await response.json();
  if (state.startedAt === null) {
    setLive('starting', 'starting servers');
  } else {
    show();
  }
}

async function poll() {
  try {
    await refresh();
  } catch (failure) {
    setLive('off', 'the demo has ended');
    console.info('no state', failure);
  }
  setTimeout(poll, POLL_MILLIS);
}

async function act(button) {
  button.disabled = true;
  const {action, region} = button.dataset;
  try {
    const response = await fetch('action', {
      method: 'POST',
      headers: {'Content-Type': 'application/json', 'X-Demo-Token': token},
      body: JSON.stringify({action, region}),
    });
    if (!response.ok) {
      showMessage((await response.json()).error);
    } else if (action === 'start-attacker') {
      selected = 'attacker';
    }
    await refresh();
  } catch (failure) {
    showMessage(`No answer from the demo: ${failure.message}`);
  } finally {
    if (button.id !== 'burst' && !button.id.startsWith('reader-')) {
      button.disabled = false;
    }
  }
}

document.addEventListener('click', event => {
  const button = event.target.closest('button[data-action]');
  if (button) {
    act(button);
  }
});

poll();
